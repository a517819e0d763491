import { MAX_DESTINATIONS } from '@/lib/platform/config/variables';
import { uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/**
 * Selects the destinations of source $2 of project $1 that can get forwards; $3 selects one of them, null all. Locks the project,
 * so that its deletion waits: an erasure would miss deliveries that are added later. The lock excludes other replays too: those that
 * shared it would let a deletion wait for as long as one of them always runs.
 */
export const selectDestinations = statement(
  `SELECT d.id FROM destinations d
   JOIN projects p ON p.id = d.project_id AND p.deleted_at IS NULL
   JOIN organizations o ON o.id = p.organization_id AND o.deleted_at IS NULL
   WHERE d.project_id = $1 AND d.source_id = $2 AND ($3::uuid IS NULL OR d.id = $3) AND d.enabled AND d.deleted_at IS NULL
   ORDER BY d.id LIMIT ${MAX_DESTINATIONS} FOR NO KEY UPDATE OF p`,
  { id: uuid },
);

/**
 * Makes deliveries of project $1 due, and stores missing ones: $2 ids, $3 their incoming events, $4 their destinations. Does
 * not change a delivery that waits for its first attempt. The caller has locked the incoming events.
 */
export const queueForwards = statement(
  `INSERT INTO deliveries AS d (id, project_id, incoming_event_id, destination_id, next_attempt_at)
   SELECT f.id, $1, f.incoming_event_id, f.destination_id, now()
   FROM unnest($2::uuid[], $3::uuid[], $4::uuid[]) AS f(id, incoming_event_id, destination_id)
   ORDER BY f.id
   ON CONFLICT (id) DO UPDATE SET status = 'PENDING', next_attempt_at = now(), schedule_step = 0, completed_at = NULL
   WHERE d.project_id = $1 AND (d.status <> 'PENDING' OR d.attempt_count > 0)`,
);
