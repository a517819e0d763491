'use client';

import { type Row as LoadedRow, type RowData, useTable } from '@tanstack/react-table';
import { type KeyboardEvent, type ReactNode, useCallback, useMemo, useRef } from 'react';
import { cn } from '@/components/ui/cn';
import { ErrorPanel } from '@/components/ui/error-panel';
import { Skeleton } from '@/components/ui/skeleton';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table';
import { type Column, features, toColumnDefs } from './column-helper';
import { DataRow, SelectBox } from './data-row';
import type { RowSelection } from './use-row-selection';
import { CHUNK_ROWS, useRowWindow } from './use-row-window';

const NO_ROWS: never[] = [];

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
  const loaded = table.getRowModel().rows;
  const count = loaded.length;
  const { body, parts, showEdge } = useRowWindow(count);
  const onKeyDown = useRowNavigation(showEdge);
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
  const renderRow = ({ id, original: row }: LoadedRow<typeof features, Row>, position?: number) => {
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
        position={position}
      />
    );
  };
  return (
    <Frame isWindowed={parts !== null}>
      <div className="sm:overflow-x-auto">
        <Table
          aria-label={label}
          aria-busy={busy || rows === undefined}
          aria-rowcount={parts === null ? undefined : count + 1}
        >
          <TableHead>
            <TableRow aria-rowindex={parts === null ? undefined : 1}>
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
            ) : parts === null ? (
              loaded.map((row) => renderRow(row))
            ) : (
              // One flat list: in nested ones, a row would remount and lose its focus when a gap before it changes.
              // A gap of another height is another row: Chromium may lay out a changed one with its previous height.
              parts.flatMap((part) => {
                if (part.kind === 'gap')
                  return <Gap key={`gap-${part.from}-${part.heightPx}`} heightPx={part.heightPx} />;
                const start = part.index * CHUNK_ROWS;
                return loaded.slice(start, start + CHUNK_ROWS).map((row, n) => renderRow(row, start + n));
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
 * @param showEdge renders the first or last rows of a partly rendered list
 */
function useRowNavigation(showEdge: (edge: 'start' | 'end') => void) {
  const show = useRef(showEdge);
  show.current = showEdge;
  return useCallback((event: KeyboardEvent<HTMLElement>) => {
    if (!(event.target instanceof HTMLElement) || event.target.dataset.rowLink === undefined) return;
    if (event.key === 'Home') show.current('start');
    if (event.key === 'End') show.current('end');
    const links = [...event.currentTarget.querySelectorAll<HTMLElement>('a[data-row-link]')];
    const present = links.indexOf(event.target);
    const target =
      event.key === 'Home' ? 0 : event.key === 'End' ? links.length - 1 : present + (STEP[event.key] ?? Number.NaN);
    const link = links[target];
    if (link === undefined) return;
    event.preventDefault();
    link.focus();
  }, []);
}
