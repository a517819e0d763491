import { CircleAlert, CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge } from '@/components/ui/badge';
import { Callout } from '@/components/ui/callout';
import { Card } from '@/components/ui/card';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table';
import type { PartitionedTable, RetentionState } from '@/lib/admin/schema';
import { formatBytes, formatCount } from './format-size';

/** The tables that are kept by day: how many days there are, and what no day was made for. */
export function PartitionedTables({ state, actions }: { state: RetentionState; actions: ReactNode }) {
  return (
    <Card
      title="Partitions"
      description="Kept by UTC day, so that an expired day leaves at once."
      actions={actions}
      flush
    >
      {state.partitionMaintenanceEnabled ? null : (
        <Callout tone="warning" className="m-4">
          PARTITION_MAINTENANCE_ENABLED is false: no partition is made or dropped.
        </Callout>
      )}
      <Table aria-label="Partitions">
        <TableHead>
          <TableRow>
            {['Table', 'Days', 'Rows, about', 'Size', 'Without a day'].map((header) => (
              <TableHeader key={header} scope="col">
                {header}
              </TableHeader>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {state.tables.map((table) => (
            <PartitionedRow key={table.table} table={table} />
          ))}
        </TableBody>
      </Table>
    </Card>
  );
}

function PartitionedRow({ table: { table, days, defaultRows } }: { table: PartitionedTable }) {
  const sum = (pick: (day: PartitionedTable['days'][number]) => number) =>
    days.reduce((all, day) => all + pick(day), 0);
  return (
    <TableRow>
      <TableCell className="break-all font-mono text-xs">{table}</TableCell>
      <TableCell label="Days">
        {days.length === 0 ? 'none' : `${days.length}: ${days.at(-1)?.day} to ${days[0]?.day}`}
      </TableCell>
      <TableCell label="Rows, about" className="tabular-nums">
        {formatCount(sum((day) => day.estimatedRows))}
      </TableCell>
      <TableCell label="Size" className="tabular-nums">
        {formatBytes(sum((day) => day.sizeBytes))}
      </TableCell>
      <TableCell label="Without a day">
        {defaultRows === 0 ? (
          <Badge tone="success" icon={CircleCheck}>
            0 rows
          </Badge>
        ) : (
          <Badge tone="danger" icon={CircleAlert}>
            {formatCount(defaultRows)} {defaultRows === 1 ? 'row' : 'rows'}
          </Badge>
        )}
      </TableCell>
    </TableRow>
  );
}
