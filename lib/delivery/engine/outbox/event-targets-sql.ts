import { TARGET_VERSION } from '@/lib/delivery/engine/targets-sql';
import { uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/** Targets of one event that a take names at most. The others are listed in pages. */
export const MAX_NAMED_TARGETS = 1_000;

/** Whether subscription `s` matches event `e`: `order.*` matches all types below `order.`, at any depth, but not `order`. */
export const MATCHES = `
  (s.event_type = '*' OR s.event_type = e.type
   OR (s.event_type LIKE '%.*' AND starts_with(e.type, left(s.event_type, -1)) AND length(e.type) >= length(s.event_type)))`;

/** Condition on a row with a project_id: neither the project nor its organization is deleted. */
const isAlive = (alias: string) => `
  EXISTS (SELECT FROM projects p JOIN organizations o ON o.id = p.organization_id
          WHERE p.id = ${alias}.project_id AND p.deleted_at IS NULL AND o.deleted_at IS NULL)`;

/** Selects the targets of an event or of a source, as an array of texts `id:version`, by id. */
export const endpointsOf = (project: string) => `
  SELECT array_agg(DISTINCT s.endpoint_id || ':' || ${TARGET_VERSION}) AS targets FROM subscriptions s
  JOIN endpoints t ON t.id = s.endpoint_id AND t.enabled AND t.deleted_at IS NULL
  WHERE s.project_id = ${project}.project_id AND s.enabled AND ${MATCHES} AND ${isAlive(project)}`;
export const destinationsOf = (source: string, project: string) => `
  SELECT array_agg(t.id || ':' || ${TARGET_VERSION} ORDER BY t.id) AS targets FROM destinations t
  WHERE t.source_id = ${source}.source_id AND t.enabled AND t.deleted_at IS NULL AND ${isAlive(project)}`;

/** Selects further targets of an event or incoming event, by id. $1 event, $2 incoming event, $3 the last id of the page before. */
export const selectMoreTargets = statement(
  `
  SELECT DISTINCT s.endpoint_id AS id FROM events e
  JOIN subscriptions s ON s.project_id = e.project_id AND s.enabled AND ${MATCHES}
  JOIN endpoints t ON t.id = s.endpoint_id AND t.enabled AND t.deleted_at IS NULL
  WHERE e.id = $1 AND s.endpoint_id > $3
  UNION
  SELECT t.id FROM incoming_events i JOIN destinations t ON t.source_id = i.source_id AND t.enabled AND t.deleted_at IS NULL
  WHERE i.id = $2 AND t.id > $3
  ORDER BY id LIMIT ${MAX_NAMED_TARGETS}`,
  { id: uuid },
);
