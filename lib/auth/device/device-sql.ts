import type { DeviceCodeStatus } from '@/lib/platform/prisma/generated/enums';
import { boolean, enumOf, integer, nullable, text, timestamp, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/**
 * Stores a device code unless its user code is taken. $1 id, $2 hash of the device code, $3 name of the client, $4 IP
 * address, $5 user agent, $6 hash of the user code, $7 interval and $8 lifetime in seconds.
 */
export const insertCode = statement(
  `INSERT INTO device_codes
     (id, device_code_hash, client_name, ip_address, user_agent, user_code_hash, interval_seconds, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(secs => $8))
   ON CONFLICT (user_code_hash) DO NOTHING`,
);

/** Finds a pending code. $1 hash of the user code. */
export const findPendingCode = statement(
  `SELECT client_name, ip_address, created_at, expires_at FROM device_codes
   WHERE user_code_hash = $1 AND status = 'PENDING' AND expires_at > clock_timestamp()`,
  { client_name: nullable(text), ip_address: nullable(text), created_at: timestamp, expires_at: timestamp },
);

/** Locks a live account and its open session. $1 user, $2 session. */
export const lockApproverSession = statement(
  `SELECT u.email FROM users u JOIN sessions s ON s.user_id = u.id
   WHERE u.id = $1 AND s.id = $2 AND u.erased_at IS NULL AND s.closed_at IS NULL AND s.expires_at > clock_timestamp()
   FOR SHARE OF u, s`,
  { email: text },
);

/** Approves or denies a pending code. $1 hash of the user code, $2 the new status, $3 user, $4 organization. */
export const decideCode = statement(
  `UPDATE device_codes SET status = $2::"DeviceCodeStatus", user_id = $3, organization_id = $4
   WHERE user_code_hash = $1 AND status = 'PENDING' AND expires_at > clock_timestamp() RETURNING id`,
  { id: uuid },
);

/** Finds a code, with the person who approved it and the organization of their session. $1 hash of the device code. */
export const findCode = statement(
  `SELECT id, status, expires_at <= clock_timestamp() AS is_expired, user_id, organization_id, client_name
   FROM device_codes WHERE device_code_hash = $1`,
  {
    id: uuid,
    status: enumOf<DeviceCodeStatus>('DeviceCodeStatus'),
    is_expired: boolean,
    user_id: nullable(uuid),
    organization_id: nullable(uuid),
    client_name: nullable(text),
  },
);

/** Locks a live account. $1 user. */
export const lockApproverAccount = statement('SELECT id FROM users WHERE id = $1 AND erased_at IS NULL FOR SHARE', {
  id: uuid,
});

/** Marks an approved code exchanged. $1 id. */
export const exchangeCode = statement(
  `UPDATE device_codes SET status = 'EXCHANGED'
   WHERE id = $1 AND status = 'APPROVED' AND expires_at > clock_timestamp()`,
);

/*
 * Each of these two is one guarded statement on the row, so the interval holds across processes, and of several polls
 * at once exactly one is in time.
 */

/** Records a poll that is in time. $1 id. */
export const recordTimelyPoll = statement(
  `
  UPDATE device_codes SET last_polled_at = clock_timestamp()
  WHERE id = $1 AND status = 'PENDING'
    AND (last_polled_at IS NULL OR last_polled_at + make_interval(secs => interval_seconds) <= clock_timestamp())`,
);

/** Records a poll that is too early and makes the interval longer. $1 id, $2 seconds to add, $3 the most seconds. */
export const slowDownPolls = statement(
  `
  UPDATE device_codes
  SET last_polled_at = clock_timestamp(), interval_seconds = LEAST(interval_seconds + $2, $3)
  WHERE id = $1 AND status = 'PENDING' RETURNING interval_seconds`,
  { interval_seconds: integer },
);
