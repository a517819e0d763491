import type { ComponentProps, ReactNode } from 'react';
import { Card } from './card';
import { cn } from './cn';

/*
 * On narrow screens rows become cards: the elements lose `display: table`, and browsers then hide their meaning from
 * screen readers. The roles restore it. They are redundant on wide screens, so they are spread in from here.
 */
const ROLES = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  header: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const;

export function Table({ className, ...rest }: ComponentProps<'table'>) {
  return <table {...ROLES.table} {...rest} className={cn('w-full border-collapse text-sm max-sm:block', className)} />;
}

export function TableHead({ className, ...rest }: ComponentProps<'thead'>) {
  return <thead {...ROLES.group} {...rest} className={cn('border-b max-sm:sr-only', className)} />;
}

export function TableBody({ className, ...rest }: ComponentProps<'tbody'>) {
  return <tbody {...ROLES.group} {...rest} className={cn('max-sm:block', className)} />;
}

export function TableRow({ className, ...rest }: ComponentProps<'tr'>) {
  return (
    <tr
      {...ROLES.row}
      {...rest}
      className={cn('relative border-b last:border-b-0 max-sm:block max-sm:py-2.5', className)}
    />
  );
}

export function TableHeader({ className, ...rest }: ComponentProps<'th'>) {
  return (
    <th
      {...ROLES.header}
      {...rest}
      className={cn('h-9 whitespace-nowrap px-4 text-left font-medium text-muted text-xs', className)}
    />
  );
}

/** A column's name, or its name and how the header shows it. */
type ColumnHeader = string | { name: string; align?: 'end'; isHidden?: true };

/** The head of a table whose columns only have names. A hidden name is read by screen readers only. */
export function ColumnHeaders({ headers }: { headers: readonly ColumnHeader[] }) {
  const columns = headers.map((header) => (typeof header === 'string' ? { name: header } : header));
  return (
    <TableHead>
      <TableRow>
        {columns.map(({ name, align, isHidden }) => (
          <TableHeader key={name} scope="col" className={align === 'end' ? 'text-right' : ''}>
            {isHidden ? <span className="sr-only">{name}</span> : name}
          </TableHeader>
        ))}
      </TableRow>
    </TableHead>
  );
}

/** `label` precedes the value when the row is a card. */
export function TableCell({ className, label, ...rest }: ComponentProps<'td'> & { label?: string | undefined }) {
  return (
    <td
      {...ROLES.cell}
      {...rest}
      data-label={label}
      className={cn(
        'h-11 px-4 py-1.5 align-middle max-sm:flex max-sm:h-auto max-sm:min-h-7 max-sm:items-center max-sm:gap-3 max-sm:py-0.5',
        label &&
          'max-sm:before:w-24 max-sm:before:shrink-0 max-sm:before:text-muted max-sm:before:text-xs max-sm:before:content-[attr(data-label)]',
        className,
      )}
    />
  );
}

/** A column of a `RowsTable`. */
export interface TableColumn<Row> {
  name: string;
  /** `end` is for numbers. */
  align?: 'end';
  /** Whether only screen readers get the name. */
  isHidden?: true;
  className?: string;
  cell: (row: Row, index: number) => ReactNode;
}

interface RowsTableProps<Row> {
  /** Names the table for screen readers. */
  label: string;
  columns: readonly TableColumn<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
}

/** A short table without links and pages. On narrow screens the cell of its first column heads the card of a row. */
export function RowsTable<Row>({ label, columns, rows, keyOf }: RowsTableProps<Row>) {
  return (
    <Table aria-label={label}>
      <ColumnHeaders headers={columns} />
      <TableBody>
        {rows.map((row, index) => (
          <TableRow key={keyOf(row)}>
            {columns.map(({ name, align, isHidden, className, cell }, column) => (
              <TableCell
                key={name}
                label={column === 0 || isHidden ? undefined : name}
                className={cn(align === 'end' && 'tabular-nums sm:text-right', className)}
              >
                {cell(row, index)}
              </TableCell>
            ))}
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

/** A card that holds one table, which its title names unless `label` does. */
export function TableCard<Row>({
  title,
  description,
  label = title,
  ...table
}: Omit<RowsTableProps<Row>, 'label'> & { title: string; description: string; label?: string }) {
  return (
    <Card title={title} description={description} flush>
      <RowsTable label={label} {...table} />
    </Card>
  );
}
