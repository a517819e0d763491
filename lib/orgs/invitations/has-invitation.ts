import { sha256 } from '@/lib/platform/crypto';
import type { Sql } from '@/lib/platform/db';
import { countPendingFor, countPendingOfToken } from './invitations-sql';

/** Whether this token invites this address. Someone who registers with it gets no organization of their own. */
export async function isInvitedBy(tx: Sql, token: string, email: string): Promise<boolean> {
  return ((await countPendingOfToken.first(tx, sha256(token), email))?.count ?? 0) > 0;
}

/** Whether any organization invites this address. */
export async function isInvited(tx: Sql, email: string): Promise<boolean> {
  return ((await countPendingFor.first(tx, email))?.count ?? 0) > 0;
}
