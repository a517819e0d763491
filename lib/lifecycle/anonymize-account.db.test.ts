import { expect, it } from 'vitest';
import { database, inSqlTransaction } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { registerPerson } from '@/tests/fixtures/people';
import { anonymizeAccount } from './anonymize-account';

useDatabase();

it('the transaction alone removes everything that identifies the person, in case the process dies after it', async () => {
  const person = await registerPerson({ name: 'Ada', organizationName: 'Engines' });
  const count = async (condition: string) =>
    (await database().query(`SELECT FROM ${condition}`, [person.userId])).rowCount;
  const identifying = [
    'sessions WHERE user_id = $1 AND coalesce(ip_address, user_agent, client_name) IS NOT NULL',
    'audit_log WHERE actor_id = $1 AND ip_address IS NOT NULL',
    `users WHERE id = $1 AND (name IS NOT NULL OR email LIKE '%@%')`,
    'user_tokens WHERE user_id = $1',
    'mails WHERE user_id = $1',
  ];
  for (const condition of identifying) expect(await count(condition), condition).toBeGreaterThan(0);
  await inSqlTransaction((tx) => anonymizeAccount(tx, person));
  for (const condition of identifying) expect(await count(condition), condition).toBe(0);
});

it('identifying fields are removed from the details of audit entries, and other fields stay', async () => {
  const person = await registerPerson();
  const other = await registerPerson();
  const note = (actorId: string) =>
    database().query(
      `INSERT INTO audit_log (id, action, actor_type, actor_id, target_type, details)
       VALUES (gen_random_uuid(), 'session.created', 'USER', $1, 'probe', '{"email": "a@example.com", "method": "IDP"}')`,
      [actorId],
    );
  await note(person.userId);
  await note(other.userId);
  await inSqlTransaction((tx) => anonymizeAccount(tx, person));
  const { rows } = await database().query(`SELECT details FROM audit_log WHERE target_type = 'probe'`);
  expect(rows.map(({ details }: { details: object }) => details)).toEqual(
    expect.arrayContaining([{ method: 'IDP' }, { email: 'a@example.com', method: 'IDP' }]),
  );
});

it('the audit log refuses changes again in the rest of the same transaction', async () => {
  const person = await registerPerson();
  const changing = inSqlTransaction(async (tx) => {
    await anonymizeAccount(tx, person);
    await tx.query('UPDATE audit_log SET ip_address = NULL');
  });
  await expect(changing).rejects.toThrow('append only');
});
