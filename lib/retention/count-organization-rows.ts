import { database } from '@/lib/platform/db';
import { countRows } from './own-data-sql';

/** Counting stops here: an organization may have hundreds of millions of rows. */
export const MAX_COUNTED = 100_000;

export interface CountedRows {
  rows: number;
  /** The sum of an expression over them. */
  sum: number;
  /** Counting stopped at the limit: there are at least so many rows. */
  isAtLeast: boolean;
}

/** Counts an organization's rows of a table, up to MAX_COUNTED. */
export async function countOrganizationRows(
  organizationId: string,
  table: keyof typeof countRows,
): Promise<CountedRows> {
  return boundCount(await countRows[table].one(database(), organizationId, MAX_COUNTED));
}

/** Tells whether a count stopped at MAX_COUNTED. */
export function boundCount({ rows, sum }: Omit<CountedRows, 'isAtLeast'>): CountedRows {
  return { rows, sum, isAtLeast: rows === MAX_COUNTED };
}
