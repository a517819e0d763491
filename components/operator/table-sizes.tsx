import { Card } from '@/components/ui/card';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table';
import type { Stats } from '@/lib/admin/schema';
import { formatBytes, formatCount } from './format-size';

/** How large the tables are that grow with use. */
export function TableSizes({ database }: { database: Stats['database'] }) {
  return (
    <Card
      title="Database"
      description={`${formatBytes(database.sizeBytes)} in all. Rows are estimated from statistics, not counted.`}
      flush
    >
      <Table aria-label="Tables">
        <TableHead>
          <TableRow>
            <TableHeader scope="col">Table</TableHeader>
            <TableHeader scope="col" className="text-right">
              Rows, about
            </TableHeader>
            <TableHeader scope="col" className="text-right">
              Size
            </TableHeader>
          </TableRow>
        </TableHead>
        <TableBody>
          {database.tables.map(({ table, estimatedRows, sizeBytes }) => (
            <TableRow key={table}>
              <TableCell className="font-mono text-xs">{table}</TableCell>
              <TableCell label="Rows, about" className="tabular-nums sm:text-right">
                {formatCount(estimatedRows)}
              </TableCell>
              <TableCell label="Size" className="tabular-nums sm:text-right">
                {formatBytes(sizeBytes)}
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Card>
  );
}
