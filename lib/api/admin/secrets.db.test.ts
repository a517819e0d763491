import { expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { fillProject } from '@/tests/fixtures/full-project';
import { ADMIN_TOKEN } from '@/tests/fixtures/operator';
import { PASSWORD, registerPerson } from '@/tests/fixtures/people';
import { makeTestProject } from '@/tests/fixtures/projects';
import { tryLogin } from '@/tests/fixtures/sign-in-limits';
import { sendThroughTable } from '@/tests/http/api-request';

useDatabase({ PLATFORM_ADMIN_TOKEN: ADMIN_TOKEN });

/** Columns with credentials or payloads. */
const SECRET_COLUMN = /hash|encrypted|payload|(?:^|_)body$|(?:^|_)headers$|^subject$/;

/** Every secret of the database in the forms in which a response could show it. */
async function listSecrets(): Promise<Map<string, string>> {
  const { rows: columns } = await database().query<{ table_name: string; column_name: string }>(
    `SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2`,
  );
  const secrets = new Map<string, string>();
  for (const { table_name, column_name } of columns.filter((column) => SECRET_COLUMN.test(column.column_name))) {
    const { rows } = await database().query<{ value: unknown }>(
      `SELECT DISTINCT ${column_name} AS value FROM ${table_name} WHERE ${column_name} IS NOT NULL`,
    );
    for (const { value } of rows) {
      const forms = Buffer.isBuffer(value)
        ? (['hex', 'base64', 'base64url', 'utf8'] as const).map((form) => value.toString(form))
        : [String(value)];
      for (const form of forms) if (form.length > 4) secrets.set(form, `${table_name}.${column_name}`);
    }
  }
  return secrets;
}

it('no response to the operator contains a secret, a hash, a payload or a token', async () => {
  const { id, owner, key, readOnlyKey } = await makeTestProject();
  await fillProject(id);
  await database().query(`UPDATE events SET payload = '{"card":"4111-secret"}'`);
  await tryLogin(owner.email, 'wrong');
  const person = await registerPerson();
  await database().query(
    `INSERT INTO identities (id, user_id, issuer, subject) VALUES (gen_random_uuid(), $1, 'https://issuer.example', 'subject-4711')`,
    [person.userId],
  );
  const secrets = await listSecrets();
  for (const given of [key, readOnlyKey, owner.accessToken, owner.refreshToken, PASSWORD, ADMIN_TOKEN]) {
    secrets.set(given, 'given out');
  }
  expect(secrets.size).toBeGreaterThan(30);
  const paths = ['/orgs?limit=100', `/orgs/${owner.organizationId}`, '/users?limit=100', '/audit-log?limit=100'];
  for (const path of [...paths, '/stats', '/retention']) {
    const response = await sendThroughTable({
      method: 'GET',
      path: `/api/v1/admin${path}`,
      headers: { 'x-platform-admin-token': ADMIN_TOKEN },
      body: null,
    });
    expect(response.status, path).toBe(200);
    for (const [secret, where] of secrets) expect(response.text.includes(secret), `${path} shows ${where}`).toBe(false);
  }
});
