import { float, integer, timestamp } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/** Reads the database's time and the size of the table $1 in megabytes. */
export const readClock = statement(
  'SELECT now() AS now, (pg_relation_size($1::regclass) / 1048576)::int AS megabytes',
  { now: timestamp, megabytes: integer },
);

/** Returns the milliseconds until $1, by the database's clock. */
export const countMsUntil = statement('SELECT extract(epoch FROM $1::timestamptz - now())::float8 * 1000 AS ms', {
  ms: float,
});
