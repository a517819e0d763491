import type { SessionMethod } from '@/lib/platform/prisma/generated/enums';
import { enumOf, nullable, text, timestamp, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/**
 * Stores a session. $1 id, $2 user, $3 organization, $4 method, $5 IP address, $6 user agent, $7 name of the client, $8
 * lifetime in days.
 */
export const insertSession = statement(
  `INSERT INTO sessions (id, user_id, organization_id, method, ip_address, user_agent, client_name, expires_at)
   VALUES ($1, $2, $3, $4::"SessionMethod", $5, $6, $7, now() + make_interval(days => $8))`,
);

/** Lists a page of a person's open sessions, newest first. $1 user, $2 cursor or null, $3 rows. */
export const listOpenSessions = statement(
  `SELECT id, method, created_at, last_used_at, ip_address, user_agent, client_name FROM sessions
   WHERE user_id = $1 AND closed_at IS NULL AND expires_at > clock_timestamp() AND ($2::uuid IS NULL OR id < $2)
   ORDER BY id DESC LIMIT $3`,
  {
    id: uuid,
    method: enumOf<SessionMethod>('SessionMethod'),
    created_at: timestamp,
    last_used_at: timestamp,
    ip_address: nullable(text),
    user_agent: nullable(text),
    client_name: nullable(text),
  },
);

/** Lists the addresses of a person's last sessions, open or not. $1 user, $2 sessions. */
export const listAddresses = statement(
  'SELECT ip_address FROM (SELECT * FROM sessions WHERE user_id = $1 ORDER BY id DESC LIMIT $2) s GROUP BY ip_address',
  { ip_address: nullable(text) },
);

/** Finds whether a person's session is open. $1 session, $2 user. */
export const findOpenSession = statement(
  'SELECT 1 FROM sessions WHERE id = $1 AND user_id = $2 AND closed_at IS NULL AND expires_at > clock_timestamp()',
);

/** Closes a person's session if it is open. $1 session, $2 user. */
export const closeOpenSession = statement(
  `UPDATE sessions SET closed_at = clock_timestamp()
   WHERE id = $1 AND user_id = $2 AND closed_at IS NULL AND expires_at > clock_timestamp()
   RETURNING organization_id`,
  { organization_id: nullable(uuid) },
);

/** Closes a person's open sessions. $1 user, $2 the session that stays open, or null. */
export const closeOpenSessions = statement(
  `UPDATE sessions SET closed_at = clock_timestamp()
   WHERE user_id = $1 AND id IS DISTINCT FROM $2::uuid AND closed_at IS NULL AND expires_at > clock_timestamp()
   RETURNING id, organization_id`,
  { id: uuid, organization_id: nullable(uuid) },
);

/** Denies the approved device codes of a person. $1 user. */
export const denyApprovedCodes = statement(
  `UPDATE device_codes SET status = 'DENIED' WHERE user_id = $1 AND status = 'APPROVED'`,
);

/** Moves a person's session to another organization. $1 session, $2 organization, $3 user. */
export const moveSession = statement('UPDATE sessions SET organization_id = $2 WHERE id = $1 AND user_id = $3');

/** Sets the organization that a person's later sign-ins start in. $1 user, $2 organization. */
export const setLastOrganization = statement('UPDATE users SET last_organization_id = $2 WHERE id = $1');
