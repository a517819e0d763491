import type { ReactNode } from 'react';
import { Card } from './card';
import { type ColumnHeader, ColumnHeaders, Table, TableBody } from './table';

/** A card that holds one table. `children` are its rows. */
export function TableCard({
  title,
  description,
  headers,
  label = title,
  children,
}: {
  title: string;
  description: string;
  headers: readonly ColumnHeader[];
  /** Names the table for screen readers when the title does not. */
  label?: string;
  children: ReactNode;
}) {
  return (
    <Card title={title} description={description} flush>
      <Table aria-label={label}>
        <ColumnHeaders headers={headers} />
        <TableBody>{children}</TableBody>
      </Table>
    </Card>
  );
}
