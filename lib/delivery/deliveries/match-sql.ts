import { integer, timestamp } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';
import { MATCHES_FILTER } from './deliveries-sql';

/**
 * Conditions on a delivery `d`: those of a list, $1 to $15, then the type $16 or its prefix $17, and the ids $18; null selects
 * all.
 */
export const MATCHES = `${MATCHES_FILTER}
     AND ($16::text IS NULL AND $17::text IS NULL OR EXISTS (
       SELECT FROM events t WHERE t.id = d.event_id
         AND ($16::text IS NULL OR t.type = $16) AND ($17::text IS NULL OR starts_with(t.type, $17))))
     AND ($18::uuid[] IS NULL OR d.id = ANY($18))`;

/** Counts the deliveries that match, $10 at most, and tells the database's time. */
export const countMatching = statement(
  `SELECT count(*)::int AS total, now() AS at FROM (SELECT FROM deliveries d WHERE ${MATCHES} LIMIT $10) matching`,
  { total: integer, at: timestamp },
);
