import type { Cell, Row, RowData } from '@tanstack/react-table';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { cn } from '@/components/ui/cn';
import { TableCell, TableRow } from '@/components/ui/table';
import type { features } from './column-helper';

type AnyCell<Data extends RowData> = Cell<typeof features, Data, unknown>;

/** One row. The link in its primary cell covers the row; other controls are above it. */
export function DataRow<Data extends RowData>({
  row,
  href,
  highlighted,
  renderCell,
}: {
  row: Row<typeof features, Data>;
  href: string | undefined;
  highlighted: boolean;
  renderCell: (cell: AnyCell<Data>) => ReactNode;
}) {
  return (
    <TableRow
      className={cn(
        href !== undefined && 'hover:bg-sunken/60 has-[a[data-row-link]:focus-visible]:bg-sunken',
        highlighted && 'animate-arrive',
      )}
    >
      {row.getAllCells().map((cell) => {
        const { columnDef } = cell.column;
        const meta = columnDef.meta;
        const name = typeof columnDef.header === 'string' ? columnDef.header : undefined;
        const content = renderCell(cell);
        return (
          <TableCell
            key={cell.id}
            label={meta?.primary || meta?.unlabelled ? undefined : name}
            className={cn(meta?.align === 'end' && 'sm:text-right', meta?.className)}
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
      })}
    </TableRow>
  );
}
