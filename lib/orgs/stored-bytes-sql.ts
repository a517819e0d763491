import { float, nullable, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';
import { IS_OWNING_CREATOR, TENANT_SQL } from './memberships-sql';

/** What an event or incoming event takes beside its data: its columns and the entries of its indexes. */
export const ROW_BYTES = 512;

const sumSince = (column: string, days: string) =>
  `coalesce(sum(b.${column}) FILTER (WHERE b.day >= (now() AT TIME ZONE 'UTC')::date - ${days}::int), 0)`;

/**
 * Sums what is stored for each of the owners $1, people or organizations that count for themselves: what was taken in or attempted
 * within the days that events ($2), incoming events ($3), successful attempts ($4) and failed attempts ($5) are kept.
 */
export const sumStoredBytes = statement(
  `SELECT t.owner_id, (${sumSince('events', '$2')} + ${sumSince('incoming_events', '$3')}
     + ${sumSince('succeeded_attempts', '$4')} + ${sumSince('failed_attempts', '$5')})::float8 AS bytes
   FROM unnest($1::uuid[]) AS t(owner_id)
   CROSS JOIN LATERAL (
     SELECT o.id FROM memberships m JOIN organizations o ON o.id = m.organization_id AND ${IS_OWNING_CREATOR}
     WHERE m.user_id = t.owner_id
     UNION ALL
     SELECT o.id FROM organizations o WHERE o.id = t.owner_id AND ${TENANT_SQL} = o.id) counted
   JOIN projects p ON p.organization_id = counted.id
   JOIN stored_bytes b ON b.project_id = p.id AND b.day >= (now() AT TIME ZONE 'UTC')::date - greatest($2::int, $3, $4, $5)
   GROUP BY t.owner_id`,
  { owner_id: nullable(uuid), bytes: nullable(float) },
);
