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

/** A column of a table, such as a `RowsTable`. */
export interface TableColumn<Row> {
  header: string;
  /** Whether only screen readers get the header. */
  isHeaderHidden?: boolean;
  /** `end` is for numbers. */
  align?: 'end';
  className?: string;
  cell: (row: Row) => ReactNode;
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
      <TableHead>
        <TableRow>
          {columns.map(({ header, isHeaderHidden, align }) => (
            <TableHeader key={header} scope="col" className={align === 'end' ? 'text-right' : ''}>
              {isHeaderHidden ? <span className="sr-only">{header}</span> : header}
            </TableHeader>
          ))}
        </TableRow>
      </TableHead>
      <TableBody>
        {rows.map((row) => (
          <TableRow key={keyOf(row)}>
            {columns.map(({ header, isHeaderHidden, align, className, cell }, index) => (
              <TableCell
                key={header}
                label={index === 0 || isHeaderHidden ? undefined : header}
                className={cn(align === 'end' && 'tabular-nums sm:text-right', className)}
              >
                {cell(row)}
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
