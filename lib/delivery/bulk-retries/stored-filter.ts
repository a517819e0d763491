import { BulkRetryFilter } from '@/lib/delivery/schema';

/** Converts a filter to what its row and the API show. */
export function writeFilter({ from, to, ...rest }: BulkRetryFilter): Record<string, string> {
  const times = { from: from?.toISOString(), to: to?.toISOString() };
  const given = Object.entries({ ...rest, ...times }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Record<string, string>;
}

/** Reads the filter of a row. @throws ZodError when a newer version has written it */
export function readFilter(stored: Record<string, string>): BulkRetryFilter {
  return BulkRetryFilter.parse(stored);
}
