import type { PartitionedTable } from '@/lib/admin/schema';
import { formatBytes, formatCount } from './format-size';

/** The partition map as tables. */
export function PartitionList({ tables }: { tables: readonly PartitionedTable[] }) {
  return (
    <details className="border-t px-4 py-3 text-sm">
      <summary className="w-max cursor-pointer rounded-sm font-medium">Show as a table</summary>
      <div className="mt-3 grid gap-6 lg:grid-cols-3">
        {tables.map(({ table, days, defaultRows, defaultSizeBytes }) => (
          <table key={table} className="w-full border-collapse self-start text-xs">
            <caption className="pb-1 text-left font-mono">{table}</caption>
            <thead>
              <tr className="border-b text-left text-muted">
                {['Day', 'Rows (estimated)', 'Size', 'State'].map((header) => (
                  <th key={header} scope="col" className="py-1 pr-3 font-medium">
                    {header}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="tabular-nums">
              <tr className="border-b">
                <td className="py-1 pr-3">default</td>
                <td className="pr-3">{formatCount(defaultRows)}</td>
                <td className="pr-3">{formatBytes(defaultSizeBytes)}</td>
                <td>{defaultRows === 0 ? 'empty' : 'not empty'}</td>
              </tr>
              {days.map(({ day, estimatedRows, sizeBytes, state }) => (
                <tr key={day} className="border-b last:border-b-0">
                  <td className="whitespace-nowrap py-1 pr-3">{day}</td>
                  <td className="pr-3">{formatCount(estimatedRows)}</td>
                  <td className="whitespace-nowrap pr-3">{formatBytes(sizeBytes)}</td>
                  <td>{state}</td>
                </tr>
              ))}
            </tbody>
          </table>
        ))}
      </div>
    </details>
  );
}
