import type { PersonCaller } from '@/lib/audit/caller';
import type { DeviceRequest } from '@/lib/auth/schema';
import { database } from '@/lib/platform/db';
import { limitGuesses } from './limit-guesses';
import { foldUserCode, hashUserCode } from './user-code';

interface RequestRow {
  client_name: string | null;
  ip_address: string | null;
  created_at: Date;
  expires_at: Date;
}

/**
 * Returns the request behind a user code, for a person to read before they decide.
 * @throws AppError not_found for an unknown, decided or expired code; rate_limited
 */
export async function getDeviceRequest(caller: PersonCaller, typedCode: string): Promise<DeviceRequest> {
  const row = await limitGuesses(caller, () => findPending(typedCode));
  return {
    clientName: row.client_name,
    ipAddress: row.ip_address,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  };
}

async function findPending(typedCode: string): Promise<RequestRow | null> {
  const userCode = foldUserCode(typedCode);
  if (userCode === null) return null;
  const { rows } = await database().query<RequestRow>(
    `SELECT client_name, ip_address, created_at, expires_at FROM device_codes
     WHERE user_code_hash = $1 AND status = 'PENDING' AND expires_at > clock_timestamp()`,
    [hashUserCode(userCode)],
  );
  return rows[0] ?? null;
}
