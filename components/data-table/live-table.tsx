'use client';

import { ArrowUp } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '@/components/ui/button';
import { PagedTable, type PagedTableProps } from './paged-table';
import type { LivePages } from './use-live-pages';

export interface LiveTableProps<Row extends { id: string }>
  extends Omit<PagedTableProps<Row>, 'pages' | 'getRowId' | 'highlighted'> {
  pages: LivePages<Row>;
  /** What a row is called: singular and plural. */
  noun: readonly [string, string];
}

/** A table of a live list. New rows wait behind a button, so that no row moves under the pointer. */
export function LiveTable<Row extends { id: string }>({ pages, noun, ...table }: LiveTableProps<Row>) {
  const show = async (byKey: boolean) => {
    await pages.showNew();
    // The button is gone, and the focus of the keyboard with it.
    if (byKey) pages.listRef.current?.querySelector<HTMLElement>('[data-row-link]')?.focus();
  };
  return (
    <div ref={pages.listRef}>
      <NewRowsPill count={pages.newCount} hasMore={pages.hasMoreNew} noun={noun} onShow={(byKey) => void show(byKey)} />
      <PagedTable {...table} pages={pages} getRowId={(row) => row.id} highlighted={pages.highlighted} />
    </div>
  );
}

const ANNOUNCE_EVERY_MS = 10_000;

/** A floating button that announces and shows new rows: "3 new events". */
function NewRowsPill({
  count,
  hasMore,
  noun,
  onShow,
}: {
  count: number;
  /** Whether there may be more than `count`. */
  hasMore: boolean;
  /** Singular and plural. */
  noun: readonly [string, string];
  /** Told whether the button was pressed with a key. */
  onShow: (byKey: boolean) => void;
}) {
  const text = `${count}${hasMore ? '+' : ''} new ${count === 1 ? noun[0] : noun[1]}`;
  const announced = useCalmText(count === 0 ? '' : text, ANNOUNCE_EVERY_MS);
  return (
    <div className="pointer-events-none sticky top-16 z-10 h-0 text-center">
      {count === 0 ? null : (
        <Button
          variant="primary"
          size="sm"
          className="pointer-events-auto -mt-1 animate-enter rounded-full shadow-floating"
          // A click by key has no count of clicks.
          onClick={(event) => onShow(event.detail === 0)}
        >
          <ArrowUp aria-hidden="true" />
          {text}
        </Button>
      )}
      <span role="status" className="sr-only">
        {announced}
      </span>
    </div>
  );
}

/** Returns a text for screen readers, at most one other text in `everyMs`: a count that changes each second is noise. */
function useCalmText(text: string, everyMs: number): string {
  const [said, setSaid] = useState({ text: '', at: Number.NEGATIVE_INFINITY });
  useEffect(() => {
    if (text === said.text) return;
    // Nothing to say needs no pause.
    const waitMs = text === '' ? 0 : Math.max(0, said.at + everyMs - performance.now());
    const timer = setTimeout(
      () => setSaid((before) => ({ text, at: text === '' ? before.at : performance.now() })),
      waitMs,
    );
    return () => clearTimeout(timer);
  }, [text, said, everyMs]);
  return said.text;
}
