import { nullable, timestamp } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';
import { forEachBranch } from '@/lib/retention/partitions/partitions';

/** Finds the times of the oldest rows of the tables that have an index by time; null without a row. */
export const findOldestByIndex = statement(
  `
  SELECT (SELECT min(created_at) FROM events) AS events,
         (SELECT min(created_at) FROM incoming_events) AS "incomingEvents",
         (SELECT min(dead_at) FROM outbox WHERE status = 'DEAD') AS "deadOutbox"`,
  { events: nullable(timestamp), incomingEvents: nullable(timestamp), deadOutbox: nullable(timestamp) },
);

/** Makes the statement that reads a table for the time of its oldest row. @param table schema and table, quoted */
export const findOldest = (table: string) =>
  statement(`SELECT min(created_at) AS oldest FROM ${table}`, { oldest: nullable(timestamp) });

/** For the test of all statements. */
export const findOldestInDefault = forEachBranch(({ defaultTable }) => findOldest(defaultTable));
