'use client';

import { ArrowUp } from 'lucide-react';
import { useCalmText } from '@/components/live/use-calm-text';
import { Button } from '@/components/ui/button';

const ANNOUNCE_EVERY_MS = 10_000;

/** A floating button that announces and shows new rows: "3 new events". */
export function NewRowsPill({
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
