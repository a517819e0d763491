import { float, nullable, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/** What an event or incoming event takes beside its data: its columns and the entries of its indexes. */
export const ROW_BYTES = 512;

const sumSince = (column: string, days: string) =>
  `coalesce(sum(b.${column}) FILTER (WHERE b.day >= (now() AT TIME ZONE 'UTC')::date - ${days}::int), 0)`;

/**
 * Sums what is stored for each of the owners $1: what was taken in or attempted within the days that events ($2), incoming events
 * ($3), successful attempts ($4) and failed attempts ($5) are kept. An organization counts for the owner who joined first.
 */
export const sumStoredBytes = statement(
  `SELECT o.owner_id, (${sumSince('events', '$2')} + ${sumSince('incoming_events', '$3')}
     + ${sumSince('succeeded_attempts', '$4')} + ${sumSince('failed_attempts', '$5')})::float8 AS bytes
   FROM unnest($1::uuid[]) AS o(owner_id)
   JOIN memberships m ON m.user_id = o.owner_id AND m.role = 'OWNER'
   JOIN projects p ON p.organization_id = m.organization_id
   JOIN stored_bytes b ON b.project_id = p.id AND b.day >= (now() AT TIME ZONE 'UTC')::date - greatest($2::int, $3, $4, $5)
   WHERE NOT EXISTS (
     SELECT FROM memberships earlier
     WHERE earlier.organization_id = m.organization_id AND earlier.role = 'OWNER'
       AND (earlier.created_at, earlier.user_id) < (m.created_at, m.user_id))
   GROUP BY o.owner_id`,
  { owner_id: nullable(uuid), bytes: nullable(float) },
);
