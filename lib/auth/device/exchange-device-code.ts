import type { AnonymousCaller } from '@/lib/audit/caller';
import { openSession } from '@/lib/auth/sessions';
import { buildSignedIn, type SignIn } from '@/lib/auth/sign-in';
import { findHomeOrganization } from '@/lib/orgs/queries';
import type { OrganizationSummary } from '@/lib/orgs/schema';
import type { Clock } from '@/lib/platform/clock';
import { sha256 } from '@/lib/platform/crypto';
import { database, type Sql } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import type { DeviceCodeStatus } from '@/lib/platform/prisma/generated/enums';
import { inTransaction, type Transaction } from '@/lib/platform/prisma/transaction';
import { recordPoll } from './record-poll';

interface CodeRow {
  id: string;
  status: DeviceCodeStatus;
  is_expired: boolean;
  /** The person who approved it, and the organization of their session. */
  user_id: string | null;
  organization_id: string | null;
  client_name: string | null;
}

/**
 * Exchanges an approved device code, once, for a session of the person who approved it, in the organization it was
 * approved for. The session's address and user agent are the client's.
 * @throws AppError authorization_pending, slow_down, access_denied, expired_token, invalid_grant
 */
export async function exchangeDeviceCode(caller: AnonymousCaller, deviceCode: string, clock: Clock): Promise<SignIn> {
  const codeHash = sha256(deviceCode);
  const code = await findCode(database(), codeHash);
  if (!isLive(code)) throw refusalOf(code);
  if (code.status === 'PENDING') throw await recordPoll(code.id);
  return inTransaction(async (tx) => {
    const userId = await lockApprover(tx, code);
    const { rowCount } = await tx.query(
      `UPDATE device_codes SET status = 'EXCHANGED'
       WHERE id = $1 AND status = 'APPROVED' AND expires_at > clock_timestamp()`,
      [code.id],
    );
    if (rowCount === 0) throw refusalOf(await findCode(tx, codeHash));
    const organization = await approvedOrganization(tx, userId, code.organization_id);
    const { sessionId, refresh } = await openSession(tx, {
      userId,
      organizationId: organization?.id ?? null,
      method: 'DEVICE',
      client: caller.client,
      clientName: code.client_name,
    });
    return { response: await buildSignedIn(tx, { userId, sessionId, organization }, clock), refresh };
  });
}

async function findCode(sql: Sql, codeHash: Buffer): Promise<CodeRow | null> {
  const { rows } = await sql.query<CodeRow>(
    `SELECT id, status, expires_at <= clock_timestamp() AS is_expired, user_id, organization_id, client_name
     FROM device_codes WHERE device_code_hash = $1`,
    [codeHash],
  );
  return rows[0] ?? null;
}

function isLive(code: CodeRow | null): code is CodeRow {
  return code !== null && !code.is_expired && (code.status === 'PENDING' || code.status === 'APPROVED');
}

/** A denied code keeps its own error after it expires: it tells the client more. */
function refusalOf(code: CodeRow | null): AppError {
  if (code === null || code.status === 'EXCHANGED') {
    return new AppError('invalid_grant', 'This device code is unknown, or was already exchanged.');
  }
  return code.status === 'DENIED' ? accessDenied() : new AppError('expired_token', 'This device code has expired.');
}

/**
 * Locks the account until the session is stored, as a sign-in does; whatever closes all sessions takes this lock
 * first, too.
 */
async function lockApprover(tx: Transaction, code: CodeRow): Promise<string> {
  const { rows } = await tx.query<{ id: string }>(
    'SELECT id FROM users WHERE id = $1 AND erased_at IS NULL FOR SHARE',
    [code.user_id],
  );
  if (rows[0] === undefined) throw accessDenied();
  return rows[0].id;
}

/**
 * An approval ends with its approver's membership: the client would act in an organization that its person has left.
 */
async function approvedOrganization(
  tx: Transaction,
  userId: string,
  approvedId: string | null,
): Promise<OrganizationSummary | null> {
  const organization = await findHomeOrganization(tx, userId, approvedId);
  if (approvedId !== null && organization?.id !== approvedId) throw accessDenied();
  return organization;
}

function accessDenied(): AppError {
  return new AppError('access_denied', 'The sign-in was denied, or its approval is no longer valid.');
}
