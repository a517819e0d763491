import type { Cell, Row, RowData } from '@tanstack/react-table';
import { memo, type ReactNode, useId } from 'react';
import { Checkbox } from '@/components/ui/checkbox';
import { cn } from '@/components/ui/cn';
import { Link } from '@/components/ui/link';
import { TableCell, TableRow } from '@/components/ui/table';
import type { features } from './column-helper';
import { CHUNK_ROWS } from './use-row-window';

type AnyCell<Data extends RowData> = Cell<typeof features, Data, unknown>;

interface DataRowProps<Data extends RowData> {
  row: Row<typeof features, Data>;
  /** The columns of the table: other columns show other cells. */
  columns: unknown;
  href: string | undefined;
  highlighted: boolean;
  /** Whether it is selected; undefined when rows cannot be selected. */
  isSelected: boolean | undefined;
  selectLabel: string;
  onSelect: ((id: string, withRange: boolean) => void) | undefined;
  renderCell: (cell: AnyCell<Data>) => ReactNode;
  /** Its position among all rows, from 0, when only a part of the list is rendered. */
  position?: number | undefined;
}

/** One row. The link in its primary cell covers the row; other controls are above it. */
function PlainDataRow<Data extends RowData>(props: DataRowProps<Data>) {
  const { row, columns, href, highlighted, isSelected, selectLabel, onSelect, renderCell, position } = props;
  return (
    <TableRow
      // The header is the first row.
      aria-rowindex={position === undefined ? undefined : position + 2}
      data-chunk={position !== undefined && position % CHUNK_ROWS === 0 ? position / CHUNK_ROWS : undefined}
      className={cn(
        href !== undefined && 'hover:bg-sunken/60 has-[a[data-row-link]:focus-visible]:bg-sunken',
        highlighted && 'animate-arrive',
        isSelected !== undefined && 'max-sm:pl-8',
        isSelected && 'bg-accent-subtle hover:bg-accent-subtle',
      )}
    >
      {isSelected === undefined ? null : (
        <TableCell className="w-0 pr-0 max-sm:absolute max-sm:top-2.5 max-sm:left-0">
          <SelectBox
            label={selectLabel}
            isSelected={isSelected}
            onToggle={(withRange) => onSelect?.(row.id, withRange)}
          />
        </TableCell>
      )}
      <Cells row={row} columns={columns} href={href} renderCell={renderCell} />
    </TableRow>
  );
}

type CellsProps<Data extends RowData> = Pick<DataRowProps<Data>, 'row' | 'columns' | 'href' | 'renderCell'>;

function PlainCells<Data extends RowData>({ row, href, renderCell }: CellsProps<Data>): ReactNode {
  return row.getAllCells().map((cell) => {
    const { columnDef } = cell.column;
    const meta = columnDef.meta;
    const name = typeof columnDef.header === 'string' ? columnDef.header : undefined;
    const content = renderCell(cell);
    return (
      <TableCell
        key={cell.id}
        label={meta?.primary || meta?.unlabelled ? undefined : name}
        className={cn(meta?.align === 'end' && 'sm:text-right', meta?.hidden, meta?.className)}
      >
        {meta?.primary && href !== undefined ? (
          <Link
            href={href}
            prefetch={false}
            data-row-link=""
            className="min-w-0 rounded-sm font-medium after:absolute after:inset-0"
          >
            {content}
          </Link>
        ) : (
          content
        )}
      </TableCell>
    );
  });
}

function showSameCells<Data extends RowData>(before: CellsProps<Data>, after: CellsProps<Data>): boolean {
  return before.row.original === after.row.original && before.columns === after.columns && before.href === after.href;
}

/** Selecting a row leaves its cells as they are. */
const Cells = memo(PlainCells, showSameCells) as typeof PlainCells;

/** A row is rendered again only when it changes: a list may have thousands, of which a poll or a click changes one. */
export const DataRow = memo(
  PlainDataRow,
  (before, after) =>
    showSameCells(before, after) &&
    before.highlighted === after.highlighted &&
    before.isSelected === after.isSelected &&
    before.selectLabel === after.selectLabel &&
    before.onSelect === after.onSelect &&
    before.position === after.position,
) as typeof PlainDataRow;

/** The checkbox that selects a row, or all. Its target is larger than the box. */
export function SelectBox({
  label,
  isSelected,
  isSome = false,
  onToggle,
}: {
  label: string;
  isSelected: boolean;
  /** Whether some rows, but not all, are selected. */
  isSome?: boolean;
  onToggle: (withRange: boolean) => void;
}) {
  const id = useId();
  return (
    // Shift would select the text between two clicks.
    <label
      htmlFor={id}
      className="relative z-10 -m-2 inline-flex size-8 select-none items-center justify-center align-middle"
    >
      <Checkbox
        id={id}
        aria-label={label}
        checked={isSelected}
        indeterminate={isSome}
        onChange={(event) => onToggle((event.nativeEvent as MouseEvent).shiftKey === true)}
      />
    </label>
  );
}
