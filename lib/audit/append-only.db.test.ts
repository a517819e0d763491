import { beforeEach, describe, expect, it } from 'vitest';
import { database, inSqlTransaction } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf, insertAudit } from '@/tests/fixtures/audit';

useDatabase();

let organizationId: string;
beforeEach(async () => {
  organizationId = newId();
  await insertAudit({ organizationId, count: 3, actorId: newId(), details: { fields: ['name'] } });
});

/** Tries a change with the database role of the service. */
const tryAsService = (statement: string, isScrubbing = false) =>
  inSqlTransaction(async (tx) => {
    if (isScrubbing) await tx.query(`SET LOCAL event_delivery.scrubbing = 'on'`);
    await tx.query(statement);
  });

describe('even to the role of the service the audit log refuses', () => {
  it('runs these tests as the owner of the table, who has every right', async () => {
    const { rows } = await database().query(
      `SELECT current_user = tableowner AS owns FROM pg_tables WHERE tablename = 'audit_log'`,
    );
    expect(rows).toEqual([{ owns: true }]);
  });

  it.each([
    ['UPDATE', `UPDATE audit_log SET details = '{}'`],
    ['UPDATE of an address', 'UPDATE audit_log SET ip_address = NULL'],
    ['DELETE', 'DELETE FROM audit_log'],
    ['TRUNCATE', 'TRUNCATE audit_log'],
    ['an upsert', `INSERT INTO audit_log SELECT * FROM audit_log ON CONFLICT (id) DO UPDATE SET action = 'x'`],
    ['MERGE', 'MERGE INTO audit_log a USING audit_log b ON a.id = b.id WHEN MATCHED THEN DELETE'],
  ])('%s', async (_name, statement) => {
    const before = await auditOf(organizationId);
    expect(before).toHaveLength(3);
    await expect(tryAsService(statement)).rejects.toThrow('append only');
    expect(await auditOf(organizationId)).toEqual(before);
  });

  it.each([
    'DELETE FROM audit_log',
    'TRUNCATE audit_log',
    ...[
      `id = '00000000-0000-7000-8000-000000000000'`,
      `action = 'x'`,
      'created_at = now()',
      `actor_type = 'SYSTEM'`,
      'actor_id = NULL',
    ].map((assignment) => `UPDATE audit_log SET ${assignment}`),
    ...['organization_id = NULL', `target_type = 'x'`, `target_id = '00000000-0000-7000-8000-000000000000'`].map(
      (assignment) => `UPDATE audit_log SET ${assignment}`,
    ),
  ])('%s, also while an erasure scrubs', async (statement) => {
    const before = await auditOf(organizationId);
    await expect(tryAsService(statement, true)).rejects.toThrow('append only');
    expect(await auditOf(organizationId)).toEqual(before);
  });
});

it('an erasure can remove IP addresses and details from the audit log, and nothing else changes', async () => {
  const before = await auditOf(organizationId);
  await tryAsService(`UPDATE audit_log SET ip_address = NULL, details = '{}'`, true);
  expect(await auditOf(organizationId)).toEqual(before.map((row) => ({ ...row, ip_address: null, details: {} })));
});

it('permission to scrub the audit log ends with the transaction', async () => {
  const client = await database().connect();
  try {
    await client.query(`BEGIN; SET LOCAL event_delivery.scrubbing = 'on'; COMMIT`);
    await expect(client.query('UPDATE audit_log SET ip_address = NULL')).rejects.toThrow('append only');
  } finally {
    client.release();
  }
});
