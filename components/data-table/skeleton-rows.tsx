import { Skeleton } from '@/components/ui/skeleton';
import { TableCell, TableRow } from '@/components/ui/table';

const ROWS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const WIDTHS = ['w-40', 'w-24', 'w-28', 'w-16', 'w-20'];

/** Placeholder rows while the first page is loading. @param hidden the classes that hide each column, or '' */
export function SkeletonRows({ hidden }: { hidden: readonly string[] }) {
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
