import type { EventTypeState, EventTypeStatus } from '@/lib/events/schema';
import type { EventTypePolicy } from '@/lib/orgs/schema';
import { holdsText } from '@/lib/platform/sql/bounded-scan';
import {
  bigint,
  boolean,
  enumOf,
  float,
  integer,
  integers,
  nullable,
  text,
  textOf,
  texts,
  timestamp,
  timestamps,
  uuid,
  uuids,
} from '@/lib/platform/sql/column';
import { type RowOf, statement } from '@/lib/platform/sql/statement';

const LISTED = {
  /** Null in the row of a page without types. */
  name: nullable(text),
  description: nullable(text),
  group_name: nullable(text),
  status: textOf<EventTypeStatus>(),
  schema: nullable(text),
  example: nullable(text),
  mismatch_count: nullable(float),
  last_mismatch_at: nullable(timestamp),
  last_seen_at: nullable(timestamp),
  created_at: nullable(timestamp),
  updated_at: nullable(timestamp),
  horizon: nullable(text),
  found: integer,
};
export type EventTypeRow = RowOf<typeof LISTED>;

/** JSON of a page: it ends before the type that goes beyond this. One type has 128 KiB at most. */
const MAX_PAGE_BYTES = 512 * 1024;

const FILTERED = `($status::text IS NULL OR t.status::text = $status) AND ($group::text IS NULL OR t.group_name = $group)
  AND ($text::text IS NULL OR ${holdsText('t.name')} OR ${holdsText('t.description')})`;

/** Shows a page of the names that `seen` has and of the defined ones, each once, in order. A row without a name tells what there is beyond. */
const shown = (seen: string, lastSeenAt: string) => `
  WITH RECURSIVE ${seen},
  named AS (
    SELECT t.name FROM event_types t WHERE t.project_id = $project AND t.name > $after AND ${FILTERED}
    UNION
    SELECT type FROM seen
    WHERE type IS NOT NULL AND ($status::text IS NULL OR $status = 'SEEN') AND $group::text IS NULL
      AND ($text::text IS NULL OR ${holdsText('type')})
      AND NOT EXISTS (SELECT FROM event_types t WHERE t.project_id = $project AND t.name = type)
    ORDER BY name LIMIT $limit
  ), sized AS (
    SELECT named.name, sum(coalesce(octet_length(t.schema), 0) + coalesce(octet_length(t.example), 0)) OVER (ORDER BY named.name) AS bytes
    FROM named LEFT JOIN event_types t ON t.project_id = $project AND t.name = named.name
  )
  SELECT n.name, t.description, t.group_name, coalesce(t.status::text, 'SEEN') AS status, t.schema, t.example,
         t.mismatch_count::float8 AS mismatch_count, t.last_mismatch_at, t.created_at, t.updated_at, ${lastSeenAt} AS last_seen_at,
         (SELECT name FROM horizon) AS horizon, (SELECT count(*)::int FROM named) AS found
  FROM (SELECT 1) always
  LEFT JOIN sized n ON n.bytes <= ${MAX_PAGE_BYTES} AND ((SELECT name FROM horizon) IS NULL OR n.name <= (SELECT name FROM horizon))
  LEFT JOIN event_types t ON t.project_id = $project AND t.name = n.name
  ORDER BY n.name`;

const PAGE = {
  project: uuid,
  after: text,
  status: nullable(text),
  group: nullable(text),
  text: nullable(text),
  limit: bigint,
};

/**
 * Selects a page of the types of a project after a name. Reads one index entry per type that was sent, however many events have it, and at
 * most `examined` of them: `horizon` is the last one that was read, if there may be more.
 */
export const selectEventTypes = statement(
  shown(
    `seen AS (
    (SELECT type, 1 AS n FROM events WHERE project_id = $project AND type > $after AND $examined > 0 ORDER BY type LIMIT 1)
    UNION ALL
    SELECT (SELECT type FROM events WHERE project_id = $project AND type > seen.type ORDER BY type LIMIT 1), n + 1
    FROM seen WHERE seen.type IS NOT NULL AND n < $examined
  ), horizon AS (SELECT max(type) AS name FROM seen HAVING count(type) >= $examined AND $examined > 0)`,
    '(SELECT e.created_at FROM events e WHERE e.project_id = $project AND e.type = n.name ORDER BY e.id DESC LIMIT 1)',
  ),
  { params: { ...PAGE, examined: integer }, columns: LISTED },
);

/** Selects a page of the types that a catalogue or a list has. */
export const selectTypesAmong = statement(
  shown(
    `seen AS (SELECT type FROM unnest($seen::text[]) AS given (type) WHERE type > $after),
     horizon AS (SELECT NULL::text AS name WHERE false)`,
    'NULL::timestamptz',
  ),
  { params: { ...PAGE, seen: texts }, columns: LISTED },
);

const DEFINED = {
  id: uuid,
  name: text,
  description: nullable(text),
  group_name: nullable(text),
  status: enumOf<EventTypeState>('EventTypeStatus'),
  schema: nullable(text),
  example: nullable(text),
};

/** A type may have 128 KiB, and take twice as much in memory. */
export const DEFINITIONS_AT_ONCE = 25;

/** Finds a type of the catalogue. The project is locked where it will be changed. */
export const findDefinedType = statement(
  `SELECT id, name, description, group_name, status, schema, example FROM event_types WHERE project_id = $project AND name = $name`,
  { params: { project: uuid, name: text }, columns: DEFINED },
);

/** Finds one type of a project, defined or only sent. */
export const findEventType = statement(
  `SELECT n.name, t.description, t.group_name, coalesce(t.status::text, 'SEEN') AS status, t.schema, t.example,
          t.mismatch_count::float8 AS mismatch_count, t.last_mismatch_at, t.created_at, t.updated_at, e.created_at AS last_seen_at,
          NULL AS horizon, 1 AS found
   FROM (SELECT $name::text AS name) n
   LEFT JOIN event_types t ON t.project_id = $project AND t.name = n.name
   LEFT JOIN LATERAL (SELECT created_at FROM events WHERE project_id = $project AND type = n.name ORDER BY id DESC LIMIT 1) e ON true
   WHERE t.id IS NOT NULL OR e.created_at IS NOT NULL`,
  { params: { project: uuid, name: text }, columns: LISTED },
);

/** Counts the types of a catalogue, and those that have some names. */
export const countTypesAmong = statement(
  `SELECT count(*)::int AS count, count(*) FILTER (WHERE name = ANY($names::text[]))::int AS known
   FROM event_types WHERE project_id = $project`,
  { params: { project: uuid, names: texts }, columns: { count: integer, known: integer } },
);

/** Finds the types of the catalogue that have some names: `DEFINITIONS_AT_ONCE` at most. */
export const findDefinedTypes = statement(
  `SELECT id, name, description, group_name, status, schema, example FROM event_types WHERE project_id = $project AND name = ANY($names::text[])`,
  { params: { project: uuid, names: texts }, columns: DEFINED },
);

/** Selects a page of the catalogue after a name. */
export const selectDefinedTypes = statement(
  `SELECT id, name, description, group_name, status, schema, example, updated_at FROM event_types
   WHERE project_id = $project AND name > $after AND ($group::text IS NULL OR group_name = $group) ORDER BY name LIMIT $limit`,
  {
    params: { project: uuid, after: text, group: nullable(text), limit: bigint },
    columns: { ...DEFINED, updated_at: timestamp },
  },
);

export const countEventTypes = statement('SELECT count(*)::int AS count FROM event_types WHERE project_id = $project', {
  params: { project: uuid },
  columns: { count: integer },
});

const FIELDS = {
  project: uuid,
  name: text,
  description: nullable(text),
  group: nullable(text),
  status: enumOf<EventTypeState>('EventTypeStatus'),
  schema: nullable(text),
  example: nullable(text),
};

export const insertEventType = statement(
  `INSERT INTO event_types (id, project_id, name, description, group_name, status, schema, example)
   VALUES ($id, $project, $name, $description, $group, $status, $schema, $example)`,
  { params: { id: uuid, ...FIELDS } },
);

/** Changes a type. What differed from another schema no longer counts. */
export const updateEventType = statement(
  `UPDATE event_types SET description = $description, group_name = $group, status = $status, schema = $schema, example = $example,
     mismatch_count = CASE WHEN schema IS NOT DISTINCT FROM $schema THEN mismatch_count ELSE 0 END,
     last_mismatch_at = CASE WHEN schema IS NOT DISTINCT FROM $schema THEN last_mismatch_at END, updated_at = now()
   WHERE project_id = $project AND name = $name`,
  { params: FIELDS },
);

export const deleteEventType = statement(
  'DELETE FROM event_types WHERE project_id = $project AND name = $name RETURNING id',
  {
    params: { project: uuid, name: text },
    columns: { id: uuid },
  },
);

/** Finds what a project does with events of a type. */
export const findRule = statement(
  `SELECT p.event_type_policy AS policy, t.id IS NOT NULL AS is_defined, t.schema
   FROM projects p LEFT JOIN event_types t ON t.project_id = p.id AND t.name = $name WHERE p.id = $project`,
  {
    params: { project: uuid, name: text },
    columns: { policy: enumOf<EventTypePolicy>('EventTypePolicy'), is_defined: boolean, schema: nullable(text) },
  },
);

/** Counts events that differ from their types. Locks the types in one order, so that processes never deadlock. */
export const addMismatches = statement(
  `WITH given AS (
     SELECT t.id, g.count, g.at
     FROM unnest($projects::uuid[], $names::text[], $counts::int[], $ats::timestamptz[]) g (project_id, name, count, at)
     JOIN event_types t ON t.project_id = g.project_id AND t.name = g.name
     ORDER BY t.id FOR NO KEY UPDATE OF t
   )
   UPDATE event_types t SET mismatch_count = t.mismatch_count + g.count, last_mismatch_at = greatest(t.last_mismatch_at, g.at)
   FROM given g WHERE t.id = g.id`,
  { params: { projects: uuids, names: texts, counts: integers, ats: timestamps } },
);
