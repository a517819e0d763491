'use client';

import { type Row as LoadedRow, type RowData, useTable } from '@tanstack/react-table';
import dynamic from 'next/dynamic';
import { type KeyboardEvent, type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import { cn } from '@/components/ui/cn';
import { ErrorPanel } from '@/components/ui/error-panel';
import { Skeleton } from '@/components/ui/skeleton';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table';
import { type Column, features, toColumnDefs } from './column-helper';
import { DataRow, SelectBox } from './data-row';
import type { Shown } from './row-window';
import type { RowSelection } from './use-row-selection';

const NO_ROWS: never[] = [];

/** A list with fewer rows is rendered whole, so that the browser's own search finds every row. */
const WINDOWED_FROM = 300;
/** Loaded with the first long list, which is whole until then. When that fails, it stays whole. */
const RowWindow = dynamic(
  () =>
    import('./row-window').then(
      (part) => part.RowWindow,
      () => () => null,
    ),
  { loading: () => null },
);

export interface DataTableProps<Row> {
  /** Names the table for screen readers: "Events". */
  label: string;
  columns: readonly Column<Row>[];
  /** Undefined while the first page is loading. */
  rows: Row[] | undefined;
  /** Whether other rows are loading. */
  busy?: boolean;
  getRowId: (row: Row) => string;
  /** The page of a row; without it rows are not links. */
  rowHref?: (row: Row) => string;
  error?: unknown;
  onRetry?: () => void;
  /** Replaces the table when there are no rows. */
  empty: ReactNode;
  /** Shown below the rows, such as LoadMore. */
  footer?: ReactNode;
  /** Gives each row a checkbox, named by `nameOf`. */
  selection?: (RowSelection & { nameOf: (row: Row) => string }) | undefined;
  /** Ids of rows to highlight once, such as rows that were just added. */
  highlighted?: ReadonlySet<string>;
}

/** A table with its loading, error and empty states. Rows become cards on narrow screens. */
export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const { label, columns, rows, busy = false, getRowId, rowHref, error, onRetry, empty, footer } = props;
  const { highlighted, selection } = props;
  const defs = useMemo(() => toColumnDefs(columns), [columns]);
  const table = useTable({ features, columns: defs, data: rows ?? NO_ROWS, getRowId });
  const { rows: loaded, rowsById } = table.getRowModel();
  const count = loaded.length;
  const ids = useMemo(() => loaded.map(({ id }) => id), [loaded]);
  const body = useRef<HTMLTableSectionElement>(null);
  const [shown, setShown] = useState<Shown | null>(null);
  const onKeyDown = useRowNavigation(shown);
  if (rows === undefined && error !== undefined) {
    return (
      <Frame>
        <ErrorPanel
          what={`We couldn’t load the ${label.toLowerCase()}`}
          error={error}
          {...(onRetry === undefined ? {} : { onRetry })}
        />
      </Frame>
    );
  }
  if (rows !== undefined && rows.length === 0) return <Frame>{empty}</Frame>;
  const renderRow = ({ id, index, original: row }: LoadedRow<typeof features, Row>) => {
    return (
      <DataRow
        key={id}
        id={id}
        row={row}
        columns={columns}
        href={rowHref?.(row)}
        highlighted={highlighted?.has(id) ?? false}
        isSelected={selection?.selected.has(id)}
        selectLabel={selection === undefined ? '' : selection.nameOf(row)}
        onSelect={selection?.toggle}
        position={shown === null ? undefined : index}
        ref={shown?.measure}
      />
    );
  };
  return (
    <Frame isWindowed={shown !== null}>
      {count >= WINDOWED_FROM ? <RowWindow body={body} ids={ids} onChange={setShown} /> : null}
      <div className="sm:overflow-x-auto">
        <Table
          aria-label={label}
          aria-busy={busy || rows === undefined}
          aria-rowcount={shown === null ? undefined : count + 1}
        >
          <TableHead>
            <TableRow aria-rowindex={shown === null ? undefined : 1}>
              {selection === undefined ? null : (
                <TableHeader scope="col" className="w-0 pr-0 max-sm:hidden">
                  <SelectBox
                    label={`Select all loaded ${label.toLowerCase()}`}
                    isSelected={selection.isAll}
                    isSome={selection.selected.size > 0 && !selection.isAll}
                    onToggle={selection.toggleAll}
                  />
                </TableHeader>
              )}
              {table.getFlatHeaders().map((header) => {
                const { align, hidden } = header.column.columnDef.meta ?? {};
                return (
                  <TableHeader key={header.id} scope="col" className={cn(align === 'end' && 'text-right', hidden)}>
                    <table.FlexRender header={header} />
                  </TableHeader>
                );
              })}
            </TableRow>
          </TableHead>
          <TableBody ref={body} onKeyDown={onKeyDown}>
            {rows === undefined ? (
              <SkeletonRows
                hidden={[...(selection === undefined ? [] : ['']), ...columns.map(({ hidden }) => hidden ?? '')]}
              />
            ) : shown === null ? (
              loaded.map(renderRow)
            ) : (
              shown.parts.map((part) => {
                // A gap of another height is another row: Chromium may lay out a changed one with its previous height.
                if (part.kind === 'gap')
                  return <Gap key={`gap-${part.next}-${part.heightPx}`} heightPx={part.heightPx} />;
                const row = rowsById[part.id];
                return row === undefined ? null : renderRow(row);
              })
            )}
          </TableBody>
        </Table>
      </div>
      {footer}
    </Frame>
  );
}

/** The space of rows that are not rendered. */
function Gap({ heightPx }: { heightPx: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row is not focusable
    <tr aria-hidden="true" data-gap="" style={{ height: heightPx }} className="max-sm:block">
      <td className="p-0" />
    </tr>
  );
}

function Frame({ isWindowed = false, children }: { isWindowed?: boolean; children: ReactNode }) {
  return (
    <div
      className={cn(
        'min-w-0 overflow-hidden rounded-lg border bg-surface shadow-raised',
        // The window corrects the scroll position; the browser would follow a row that a gap replaces.
        isWindowed && '[overflow-anchor:none]',
      )}
    >
      {children}
    </div>
  );
}

const ROWS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const WIDTHS = ['w-40', 'w-24', 'w-28', 'w-16', 'w-20'];

/** Placeholder rows while the first page is loading. @param hidden the classes that hide each column, or '' */
function SkeletonRows({ hidden }: { hidden: readonly string[] }) {
  return ROWS.map((row) => (
    <TableRow key={row}>
      {hidden.map((className, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholder cells have no identity
        <TableCell key={index} className={className}>
          <Skeleton className={`max-w-full ${WIDTHS[index % WIDTHS.length]}`} />
        </TableCell>
      ))}
    </TableRow>
  ));
}

const STEP: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

/**
 * Returns a key handler: arrow keys move between row links; Home and End go to the first and last.
 *
 * @param shown the rendered part of a long list
 */
function useRowNavigation(shown: Shown | null) {
  const latest = useRef(shown);
  latest.current = shown;
  return useCallback((event: KeyboardEvent<HTMLElement>) => {
    if (!(event.target instanceof HTMLElement) || event.target.dataset.rowLink === undefined) return;
    const edge = event.key === 'Home' ? 'start' : event.key === 'End' ? 'end' : null;
    if (edge !== null) latest.current?.showEdge(edge);
    const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row-link]')];
    const step = links.indexOf(event.target) + (STEP[event.key] ?? Number.NaN);
    const link = edge === null ? links[step] : links.at(edge === 'start' ? 0 : -1);
    if (link === undefined) return;
    event.preventDefault();
    // The list has scrolled to its edge already.
    link.focus({ preventScroll: edge !== null && latest.current !== null });
  }, []);
}
