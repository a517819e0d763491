import { byIndex } from '@/lib/platform/sql/bounded-scan';
import { bigint, nullable, uuid, uuids } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

const NEWEST = `${byIndex('project_id', 'p.id')} ORDER BY project_id DESC, id DESC LIMIT 50`;

/**
 * Digests the newest 50 rows of each kind, as many as the first page of a list shows.
 *
 * Digests and not the newest id: ids are made by several processes, so a row can appear below one that is already there.
 * An index on (project_id, id) finds each set of rows.
 */
export const digestProjects = statement(
  `
  SELECT p.id AS project_id,
    (SELECT bit_xor(hash_record_extended(r, 0)) FROM (
      SELECT e.id, (SELECT o.status FROM outbox o WHERE o.event_id = e.id LIMIT 1)
      FROM events e WHERE ${byIndex('e.project_id', 'p.id', 'e.id')} ORDER BY e.project_id DESC, e.id DESC LIMIT 50
    ) r) AS events,
    (SELECT bit_xor(hash_record_extended(r, 0)) FROM (
      SELECT id, status, attempt_count, next_attempt_at
      FROM deliveries WHERE ${NEWEST}
    ) r) AS deliveries,
    (SELECT bit_xor(uuid_hash_extended(r.id, 0)) FROM (
      SELECT id FROM incoming_events WHERE ${NEWEST}
    ) r) AS incoming_events,
    (SELECT bit_xor(uuid_hash_extended(r.id, 0)) FROM (
      SELECT id FROM tunnel_request_log WHERE ${NEWEST}
    ) r) AS tunnel_requests
  FROM unnest($projects::uuid[]) AS p(id)`,
  {
    params: { projects: uuids },
    columns: {
      project_id: uuid,
      events: nullable(bigint),
      deliveries: nullable(bigint),
      incoming_events: nullable(bigint),
      tunnel_requests: nullable(bigint),
    },
    name: 'digest-projects',
  },
);
