import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeEmptyDatabase, queryOnce } from '@/tests/database/empty-database';
import { itOnOneServer } from '@/tests/database/one-server';
import { endProcess, untilEnded, untilReady, useProcesses } from '@/tests/processes/entry-process';
import { testVariables } from '@/tests/setup/variables';
import { applyMigrations } from './apply-migrations';
import { readMigrations } from './migrations';

const { url, create, drop } = makeEmptyDatabase();
const variables = () => ({ ...testVariables(), DATABASE_URL: url, LOG_LEVEL: 'silent', PORT: '0' });
const [NEWEST] = readMigrations('prisma/migrations').slice(-1);

beforeAll(() => create());
afterAll(drop);

describe('a part that starts on another schema than its own', () => {
  const web = useProcesses('scripts/web.ts', variables);
  const worker = useProcesses('scripts/worker.ts', variables);
  const retention = useProcesses('scripts/retention.ts', variables);
  const PARTS = [
    ['web', web],
    ['worker', worker],
    ['retention', retention],
  ] as const;

  it.each(PARTS)('ends with the command to run when the database was never migrated: %s', async (_, start) => {
    const { code, stderr } = await untilEnded(start());
    expect(stderr).toMatch(
      /^The database lacks (?:a migration|\d+ migrations) of this version \(first 20261125000000_initial\): run "npm run migrate", then start again\.\n$/,
    );
    expect(code).toBe(1);
  });

  itOnOneServer.each(PARTS)(
    'ends with one line when the database does not exist, or the password is wrong: %s',
    async (_, start) => {
      const missing = Object.assign(new URL(url), { pathname: '/no_such_database' }).href;
      expect(await untilEnded(start([], { DATABASE_URL: missing }))).toMatchObject({
        code: 78,
        stderr: `DATABASE_URL: ${new URL(url).host} refused the connection: database "no_such_database" does not exist\n`,
      });
      const wrong = Object.assign(new URL(url), { password: 'not-the-password' }).href;
      const { code, stderr } = await untilEnded(start([], { DATABASE_URL: wrong }));
      expect(stderr).toMatch(
        /^DATABASE_URL: 127\.0\.0\.1:\d+ refused the connection: password authentication failed [^\n]*\n$/,
      );
      expect(stderr).not.toContain('not-the-password');
      expect(code).toBe(78);
    },
  );

  it('ends and names the migration when one is missing, also for one job of retention', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'migrations-'));
    fs.cpSync('prisma/migrations', folder, { recursive: true });
    fs.rmSync(path.join(folder, NEWEST?.name ?? ''), { recursive: true });
    await applyMigrations(url, { folder });
    fs.rmSync(folder, { recursive: true });
    const line = `The database lacks a migration of this version (first ${NEWEST?.name}): run "npm run migrate", then start again.`;
    expect(await untilEnded(worker())).toMatchObject({ code: 1, stderr: `${line}\n` });
    const job = await untilEnded(retention(['metrics']));
    expect(job).toMatchObject({ code: 1, stderr: `metrics: ${line}\n` });
    expect(JSON.parse(job.stdout)).toEqual({ job: 'metrics', status: 'failed', error: line });
  });

  it('starts when the database also has a migration of a newer version', async () => {
    await applyMigrations(url);
    await queryOnce(
      url,
      `INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name)
       VALUES ('newer', 'unknown', now(), '20991231000000_newer')`,
    );
    await untilReady(worker());
    // Its own run of the job would refuse the other one.
    await endProcess(await untilReady(retention()), 'SIGTERM');
    expect(await untilEnded(retention(['metrics']))).toMatchObject({ code: 0 });
  });
});
