import type { DeviceCodeStatus } from '@/lib/platform/prisma/generated/enums';
import { boolean, bytes, enumOf, float, integer, nullable, text, timestamp, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

const status = enumOf<DeviceCodeStatus>('DeviceCodeStatus');

/** Stores a device code unless its user code is taken. */
export const insertCode = statement(
  `INSERT INTO device_codes
     (id, device_code_hash, client_name, ip_address, user_agent, user_code_hash, interval_seconds, expires_at)
   VALUES ($id, $deviceCodeHash, $clientName, $ipAddress, $userAgent, $userCodeHash, $intervalSeconds,
     now() + make_interval(secs => $lifetimeSeconds))
   ON CONFLICT (user_code_hash) DO NOTHING`,
  {
    params: {
      id: uuid,
      deviceCodeHash: bytes,
      clientName: nullable(text),
      ipAddress: nullable(text),
      userAgent: nullable(text),
      userCodeHash: bytes,
      intervalSeconds: integer,
      lifetimeSeconds: float,
    },
  },
);

/** Finds a pending code. */
export const findPendingCode = statement(
  `SELECT client_name, ip_address, created_at, expires_at FROM device_codes
   WHERE user_code_hash = $userCodeHash AND status = 'PENDING' AND expires_at > clock_timestamp()`,
  {
    params: { userCodeHash: bytes },
    columns: { client_name: nullable(text), ip_address: nullable(text), created_at: timestamp, expires_at: timestamp },
  },
);

/** Locks a live account and its open session. */
export const lockApproverSession = statement(
  `SELECT u.email FROM users u JOIN sessions s ON s.user_id = u.id
   WHERE u.id = $user AND s.id = $session AND u.erased_at IS NULL AND s.closed_at IS NULL AND s.expires_at > clock_timestamp()
   FOR SHARE OF u, s`,
  { params: { user: uuid, session: uuid }, columns: { email: text } },
);

/** Approves or denies a pending code. */
export const decideCode = statement(
  `UPDATE device_codes SET status = $status::"DeviceCodeStatus", user_id = $user, organization_id = $organization
   WHERE user_code_hash = $userCodeHash AND status = 'PENDING' AND expires_at > clock_timestamp() RETURNING id`,
  { params: { status, user: uuid, organization: nullable(uuid), userCodeHash: bytes }, columns: { id: uuid } },
);

/** Finds a code, with the person who approved it and the organization of their session. */
export const findCode = statement(
  `SELECT id, status, expires_at <= clock_timestamp() AS is_expired, user_id, organization_id, client_name
   FROM device_codes WHERE device_code_hash = $deviceCodeHash`,
  {
    params: { deviceCodeHash: bytes },
    columns: {
      id: uuid,
      status,
      is_expired: boolean,
      user_id: nullable(uuid),
      organization_id: nullable(uuid),
      client_name: nullable(text),
    },
  },
);

/** Locks a live account. */
export const lockApproverAccount = statement('SELECT id FROM users WHERE id = $user AND erased_at IS NULL FOR SHARE', {
  params: { user: nullable(uuid) },
  columns: { id: uuid },
});

/** Marks an approved code exchanged. */
export const exchangeCode = statement(
  `UPDATE device_codes SET status = 'EXCHANGED'
   WHERE id = $code AND status = 'APPROVED' AND expires_at > clock_timestamp()`,
  { params: { code: uuid } },
);

/*
 * Each of these two is one guarded statement on the row, so the interval holds across processes, and of several polls
 * at once exactly one is in time.
 */

/** Records a poll that is in time. */
export const recordTimelyPoll = statement(
  `
  UPDATE device_codes SET last_polled_at = clock_timestamp()
  WHERE id = $code AND status = 'PENDING'
    AND (last_polled_at IS NULL OR last_polled_at + make_interval(secs => interval_seconds) <= clock_timestamp())`,
  { params: { code: uuid } },
);

/** Records a poll that is too early and makes the interval longer. */
export const slowDownPolls = statement(
  `
  UPDATE device_codes
  SET last_polled_at = clock_timestamp(), interval_seconds = LEAST(interval_seconds + $addedSeconds, $maxSeconds)
  WHERE id = $code AND status = 'PENDING' RETURNING interval_seconds`,
  { params: { addedSeconds: integer, maxSeconds: integer, code: uuid }, columns: { interval_seconds: integer } },
);
