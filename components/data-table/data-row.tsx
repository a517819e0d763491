import { memo, type ReactNode, type Ref, useId } from 'react';
import { Checkbox } from '@/components/ui/checkbox';
import { cn } from '@/components/ui/cn';
import { Link } from '@/components/ui/link';
import { TableCell, TableRow } from '@/components/ui/table';
import type { Column } from './column-helper';

interface DataRowProps<Row> {
  row: Row;
  id: string;
  /** The columns of the table: other columns show other cells. */
  columns: readonly Column<Row>[];
  href: string | undefined;
  highlighted: boolean;
  /** Whether it is selected; undefined when rows cannot be selected. */
  isSelected: boolean | undefined;
  selectLabel: string;
  onSelect: ((id: string, withRange: boolean) => void) | undefined;
  /** Its position among all rows, from 0, when only a part of the list is rendered. */
  position?: number | undefined;
  ref?: Ref<HTMLTableRowElement> | undefined;
}

/** One row. The link in its primary cell covers the row; other controls are above it. */
function PlainDataRow<Row>(props: DataRowProps<Row>) {
  const { row, id, columns, href, highlighted, isSelected, selectLabel, onSelect, position, ref } = props;
  return (
    <TableRow
      {...(ref === undefined ? {} : { ref })}
      // The header is the first row.
      aria-rowindex={position === undefined ? undefined : position + 2}
      data-index={position}
      className={cn(
        'has-[[data-row-link]:focus-visible]:bg-sunken has-[[data-row-link]]:hover:bg-sunken/60',
        highlighted && 'animate-arrive',
        isSelected !== undefined && 'max-sm:pl-8',
        isSelected && 'bg-accent-subtle hover:bg-accent-subtle',
      )}
    >
      {isSelected === undefined ? null : (
        <TableCell className="w-0 pr-0 max-sm:absolute max-sm:top-2.5 max-sm:left-0">
          <SelectBox label={selectLabel} isSelected={isSelected} onToggle={(withRange) => onSelect?.(id, withRange)} />
        </TableCell>
      )}
      <Cells row={row} columns={columns} href={href} />
    </TableRow>
  );
}

type CellsProps<Row> = Pick<DataRowProps<Row>, 'row' | 'columns' | 'href'>;

function PlainCells<Row>({ row, columns, href }: CellsProps<Row>): ReactNode {
  return columns.map(({ header, cell, primary, unlabelled, align, hidden, className }) => (
    <TableCell
      key={header}
      label={primary || unlabelled ? undefined : header}
      className={cn(align === 'end' && 'sm:text-right', hidden, className)}
    >
      {primary && href !== undefined ? (
        <Link
          href={href}
          prefetch={false}
          data-row-link=""
          className="min-w-0 rounded-sm font-medium after:absolute after:inset-0"
        >
          {cell(row)}
        </Link>
      ) : (
        cell(row)
      )}
    </TableCell>
  ));
}

function showSameCells<Row>(before: CellsProps<Row>, after: CellsProps<Row>): boolean {
  return before.row === after.row && before.columns === after.columns && before.href === after.href;
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
