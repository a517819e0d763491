import { beforeEach, describe, expect, it } from 'vitest';
import { inSqlTransaction } from '@/lib/platform/db';
import { setOnce } from '@/lib/platform/globals';
import { newId } from '@/lib/platform/ids';
import { TokenBuckets } from '@/lib/platform/token-buckets';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import type { KeyCaller, PortalCaller } from './caller';
import { type Actor, auditChange, recordAudit } from './record-audit';
import type { AuditAction } from './types';

useDatabase();

const LARGE = { changes: { description: { from: null, to: 'x'.repeat(1024) } } };

let ownerId: string;
let organizationId: string;
beforeEach(() => {
  setOnce('audit-bytes', new TokenBuckets({ perSecond: 0.1, burst: 1_000, mostOwed: 2_000 }));
  ownerId = newId();
  organizationId = newId();
});

function keyOf(owner: string): KeyCaller {
  const client = { ipAddress: null, userAgent: null, ownerId: owner };
  return { type: 'key', keyId: newId(), projectId: newId(), organizationId, scope: 'READ_WRITE', client };
}

function customerOf(owner: string): PortalCaller {
  const { client, projectId } = keyOf(owner);
  const session = { sessionId: newId(), customerId: newId(), permissions: 'MANAGE' } as const;
  return { type: 'portal', ...session, projectId, organizationId, client };
}

const tryTo = (actor: Actor, action: AuditAction) =>
  inSqlTransaction((tx) => recordAudit(tx, actor, action, { organizationId, targetId: newId() }));

/** Spends what the entries of an owner may add at once, which is a kilobyte here. */
const spend = (caller: KeyCaller | PortalCaller) =>
  inSqlTransaction((tx) => auditChange(tx, { ...caller, organizationId: newId() }, 'customer.created', newId(), LARGE));

describe('an owner whose audit log has grown too much', () => {
  beforeEach(() => spend(keyOf(ownerId)));

  it('changes nothing for a while, and others do', async () => {
    await expect(tryTo(keyOf(ownerId), 'endpoint.updated')).rejects.toMatchObject({ code: 'rate_limited' });
    expect(await auditOf(organizationId)).toEqual([]);
    await tryTo(keyOf(newId()), 'endpoint.updated');
    expect(await auditOf(organizationId)).toMatchObject([{ action: 'endpoint.updated' }]);
  });

  it.each([
    'api_key.revoked',
    'endpoint.deleted',
    'bulk_retry.canceled',
    'session.closed',
    'invitation.link_revoked',
    'customer.portal_sessions_ended',
    'member.left',
  ] as const)('still ends things: %s', async (action) => {
    await tryTo(keyOf(ownerId), action);
    expect(await auditOf(organizationId)).toMatchObject([{ action }]);
  });

  it('leaves its customers in the portal, and the service itself, what they may add', async () => {
    await tryTo(customerOf(ownerId), 'endpoint.updated');
    await tryTo({ type: 'system' }, 'alert.updated');
    expect(await auditOf(organizationId)).toHaveLength(2);
  });
});

it('an owner spends the bytes of an entry, not its characters', async () => {
  const spendText = (text: string) =>
    inSqlTransaction((tx) => auditChange(tx, keyOf(ownerId), 'customer.created', newId(), { targetName: text }));
  await spendText('x'.repeat(400));
  await tryTo(keyOf(ownerId), 'endpoint.updated');
  setOnce('audit-bytes', new TokenBuckets({ perSecond: 0.1, burst: 1_000, mostOwed: 2_000 }));
  await spendText('é'.repeat(400));
  await expect(tryTo(keyOf(ownerId), 'endpoint.updated')).rejects.toMatchObject({ code: 'rate_limited' });
});

it('customers in the portal spend what those of their company may add, not what it may itself', async () => {
  await spend(customerOf(ownerId));
  await expect(tryTo(customerOf(ownerId), 'endpoint.updated')).rejects.toMatchObject({ code: 'rate_limited' });
  await tryTo(keyOf(ownerId), 'endpoint.updated');
  expect(await auditOf(organizationId)).toHaveLength(1);
});
