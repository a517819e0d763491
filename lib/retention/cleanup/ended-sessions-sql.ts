import { integer, jsonOf, nullable, text } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/** A position in the ended sessions, which are sorted by the time of their end. */
export interface SessionCursor {
  time: string;
  id: string;
}

const lockEnded = (column: string, where: string) =>
  statement(
    `
  WITH ended AS MATERIALIZED (
    SELECT ${column} AS time, id FROM sessions
    WHERE ${where} AND (${column}, id) > ($2::timestamptz, $3::uuid)
    ORDER BY ${column}, id LIMIT $4 FOR UPDATE SKIP LOCKED)
  SELECT count(*)::int AS count, ARRAY(SELECT id FROM ended)::text AS ids,
    (SELECT jsonb_build_object('time', time::text, 'id', id) FROM ended ORDER BY time DESC, id DESC LIMIT 1) AS cursor
  FROM ended`,
    {
      count: integer,
      /** In PostgreSQL's array syntax. */
      ids: text,
      /** The last of them; null when there is none. */
      cursor: nullable(jsonOf<SessionCursor>()),
    },
    { name: `retention-lock-sessions-by-${column}` },
  );

/**
 * Locks the next ended sessions. Skips those that another transaction has locked. Sessions end in two ways, each with its own
 * index, and no session is in both.
 *
 * $1 cutoff of the end, $2 and $3 cursor, $4 limit.
 */
export const lockEndedSessions = [
  lockEnded('expires_at', 'expires_at <= $1'),
  lockEnded('closed_at', 'closed_at <= $1 AND expires_at > $1'),
] as const;

/** Deletes refresh tokens of the sessions $1, at most $2. Skips rows that another transaction has locked. */
export const deleteTokens = statement(`
  DELETE FROM refresh_tokens WHERE id = ANY(ARRAY(
    SELECT id FROM refresh_tokens WHERE session_id = ANY(ARRAY(SELECT unnest($1::uuid[]))) LIMIT $2
    FOR UPDATE SKIP LOCKED))`);

/** Deletes the sessions $1 that have no token. */
export const deleteSessions = statement(`
  DELETE FROM sessions s WHERE id = ANY(ARRAY(SELECT unnest($1::uuid[])))
    AND NOT EXISTS (SELECT FROM refresh_tokens r WHERE r.session_id = s.id)`);

/** Counts the sessions that have ended by $1, and their tokens. */
export const countEnded = statement(
  `WITH ended AS MATERIALIZED (SELECT id FROM sessions WHERE expires_at <= $1 OR closed_at <= $1)
   SELECT (SELECT count(*)::int FROM ended) AS sessions,
          (SELECT count(*)::int FROM refresh_tokens r JOIN ended ON ended.id = r.session_id) AS tokens`,
  { sessions: integer, tokens: integer },
);
