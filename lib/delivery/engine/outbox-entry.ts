import type { Sql } from '@/lib/platform/db';
import { MESSAGE_COLUMNS, type MessageRow, messageJoins } from './messages';

/** An event or incoming event that waits to be fanned out, with its message. */
export interface OutboxEntry extends MessageRow {
  id: string;
  project_id: string | null;
  source_id: string | null;
}

const columns = `o.id, o.project_id, o.event_id, o.incoming_event_id, i.source_id, ${MESSAGE_COLUMNS}`;

/*
 * The due rows are picked before anything is joined to them: the planner would otherwise be free to join first, and to
 * read the whole events table for two hundred rows.
 */
const CLAIM_SQL = `
  WITH o AS MATERIALIZED (
    SELECT id, project_id, event_id, incoming_event_id FROM outbox
    WHERE status = 'PENDING' AND kind <> 'MAIL' AND available_at <= now()
    ORDER BY available_at, id LIMIT $1 FOR UPDATE SKIP LOCKED)
  SELECT ${columns} FROM o ${messageJoins('o')} ORDER BY o.id`;

const CLAIM_ONE_SQL = `
  WITH o AS MATERIALIZED (
    SELECT id, project_id, event_id, incoming_event_id FROM outbox
    WHERE status = 'PENDING' AND id = $1 FOR UPDATE SKIP LOCKED)
  SELECT ${columns} FROM o ${messageJoins('o')}`;

/** Locks the oldest due rows for the transaction, passing over those that another worker has. */
export async function claimOutbox(tx: Sql, limit: number): Promise<OutboxEntry[]> {
  return (await tx.query<OutboxEntry>(CLAIM_SQL, [limit])).rows;
}

/** Locks one row, if it still waits and nobody else has it. */
export async function claimOutboxEntry(tx: Sql, id: string): Promise<OutboxEntry[]> {
  return (await tx.query<OutboxEntry>(CLAIM_ONE_SQL, [id])).rows;
}
