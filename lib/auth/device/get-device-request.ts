import type { PersonCaller } from '@/lib/audit/caller';
import type { DeviceRequest } from '@/lib/auth/schema';
import { database } from '@/lib/platform/db';
import type { RowOf } from '@/lib/platform/sql/statement';
import { findPendingCode } from './device-sql';
import { foldUserCode, hashUserCode, limitGuesses } from './user-code';

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

async function findPending(typedCode: string): Promise<RowOf<typeof findPendingCode.columns> | null> {
  const userCode = foldUserCode(typedCode);
  if (userCode === null) return null;
  return (await findPendingCode.first(database(), hashUserCode(userCode))) ?? null;
}
