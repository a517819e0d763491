import { addMs, SECOND_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import { lowestIdAt } from '@/lib/platform/ids';
import { type Listing, toListing } from '@/lib/platform/pagination';
import type { EventListItem, EventSummary, ListEventsQuery } from './schema';

interface EventRow {
  id: string;
  type: string;
  created_at: Date;
}

interface ListedRow extends EventRow {
  pending: number;
  succeeded: number;
  failed: number;
}

/** Lists the events of a project, newest first, with the counts of their deliveries and without `data`. */
export async function listEvents(projectId: string, query: ListEventsQuery): Promise<Listing<EventListItem>> {
  const { rows } = await database().query<ListedRow>(
    `SELECT e.id, e.type, e.created_at, d.pending, d.succeeded, d.failed
     FROM (
       SELECT id, type, created_at FROM events
       WHERE project_id = $1
         AND ($2::uuid IS NULL OR id < $2) AND ($3::text IS NULL OR type = $3)
         AND ($4::timestamptz IS NULL OR (created_at >= $4 AND id >= $6::uuid))
         AND ($5::timestamptz IS NULL OR (created_at <= $5 AND id <= $7::uuid))
       ORDER BY id DESC LIMIT $8
     ) e
     CROSS JOIN LATERAL (
       SELECT count(*) FILTER (WHERE status = 'PENDING')::int AS pending,
              count(*) FILTER (WHERE status = 'SUCCEEDED')::int AS succeeded,
              count(*) FILTER (WHERE status = 'FAILED')::int AS failed
       FROM deliveries WHERE event_id = e.id
     ) d
     ORDER BY e.id DESC`,
    [
      projectId,
      query.cursor ?? null,
      query.type ?? null,
      query.from ?? null,
      query.to ?? null,
      ...idBounds(query),
      query.limit + 1,
    ],
  );
  return toListing(rows, query.limit, ({ pending, succeeded, failed, ...event }) => ({
    ...presentEvent(event),
    deliveries: { pending, succeeded, failed },
  }));
}

/** Ids start with their time, and only ids are indexed. A second of slack allows for the time between an id and its created_at. */
function idBounds({ from, to }: ListEventsQuery): [string | null, string | null] {
  return [
    from === undefined ? null : lowestIdAt(addMs(from, -SECOND_MS)),
    to === undefined ? null : lowestIdAt(addMs(to, SECOND_MS)),
  ];
}

/** Reads an event of a project with the JSON text of its data. @throws AppError not_found */
export async function getEvent(projectId: string, eventId: string): Promise<{ event: EventSummary; payload: string }> {
  const { rows } = await database().query<EventRow & { payload: string }>(
    'SELECT id, type, created_at, payload FROM events WHERE project_id = $1 AND id = $2',
    [projectId, eventId],
  );
  const row = rows[0];
  if (row === undefined) throw notFound('event');
  return { event: presentEvent(row), payload: row.payload };
}

function presentEvent(row: EventRow): EventSummary {
  return { id: row.id, type: row.type, createdAt: row.created_at.toISOString() };
}
