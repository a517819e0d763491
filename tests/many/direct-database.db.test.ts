import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { addCell } from '@/lib/platform/cells/cells';
import { inSqlTransaction } from '@/lib/platform/db';
import { makePgBouncer, type PgBouncer } from '@/tests/database/pgbouncer';
import { startTestServer, type TestServer } from '@/tests/database/postgres';
import { useDatabase } from '@/tests/database/use-database';
import { untilEnded, untilReady, useProcesses } from '@/tests/processes/entry-process';
import { testVariables } from '@/tests/setup/variables';

const { adminUrl } = inject('postgres');
const variables = testVariables();
const db = useDatabase(variables);
const emptyName = `test_${randomBytes(6).toString('hex')}`;
let bouncer: PgBouncer;
let otherServer: TestServer;

const at = (url: string, changes: Partial<URL>) => Object.assign(new URL(url), changes).href;
const named = (url: string, name: string) => at(url, { pathname: `/${name}` });

async function query<Row extends pg.QueryResultRow>(connectionString: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return (await client.query<Row>(sql).finally(() => client.end())).rows;
}

const owned = (name: string, url: string) => `CREATE DATABASE ${name} OWNER ${new URL(url).username}`;

beforeAll(async () => {
  await query(adminUrl, owned(emptyName, db.url));
  bouncer = await makePgBouncer(db.url, { poolSize: 4, statementMs: 7_000 });
  await bouncer.start();
  // Its database has the same name, and may have the same number.
  otherServer = await startTestServer();
  await query(otherServer.adminUrl, owned(new URL(db.url).pathname.slice(1), otherServer.databaseUrl));
});
afterAll(async () => {
  await bouncer.remove();
  await otherServer.stop();
  await query(adminUrl, `DROP DATABASE ${emptyName} WITH (FORCE)`);
});

const start = {
  web: useProcesses('scripts/web.ts', () => variables),
  worker: useProcesses('scripts/worker.ts', () => variables),
  retention: useProcesses('scripts/retention.ts', () => variables),
  migrate: useProcesses('scripts/migrate.ts', () => variables),
};
const PARTS = ['web', 'worker', 'retention', 'migrate'] as const;

/** Pairs of URLs of two databases, and that of the direct one. */
const APART: [string, () => { DATABASE_URL: string; DATABASE_DIRECT_URL: string }][] = [
  ['another database of the server', () => ({ DATABASE_URL: db.url, DATABASE_DIRECT_URL: named(db.url, emptyName) })],
  [
    'another database than the one through PgBouncer',
    () => ({ DATABASE_URL: bouncer.url, DATABASE_DIRECT_URL: named(db.url, emptyName) }),
  ],
  [
    'a database of the same name on another server',
    () => ({
      DATABASE_URL: db.url,
      DATABASE_DIRECT_URL: named(otherServer.databaseUrl, new URL(db.url).pathname.slice(1)),
    }),
  ],
];

describe.each(APART)('with a DATABASE_DIRECT_URL to %s', (_, urls) => {
  const historyOf = async (url: string) =>
    (await query<{ found: string | null }>(url, `SELECT to_regclass('public._prisma_migrations')::text AS found`))[0];

  it.each(PARTS)('%s ends with one line and migrates nothing', async (part) => {
    const { code, stdout, stderr } = await untilEnded(start[part]([], { ...urls(), PORT: '0' }));
    expect(stderr).toMatch(/^DATABASE_DIRECT_URL: must be the database of DATABASE_URL \([^\n]* is not [^\n]*\)\n$/);
    expect(stderr).not.toContain(new URL(db.url).password);
    expect(stdout).not.toMatch(/ready|Applied|up to date/);
    expect(code).not.toBe(0);
    expect(await historyOf(urls().DATABASE_DIRECT_URL)).toEqual({ found: null });
  });

  it('a job of retention fails with this line', async () => {
    const { code, stderr } = await untilEnded(start.retention(['metrics'], urls()));
    expect(stderr).toMatch(/^metrics: DATABASE_DIRECT_URL: must be the database of DATABASE_URL [^\n]*\n$/);
    expect(code).toBe(1);
  });
});

describe('with a DATABASE_DIRECT_URL to the same database', () => {
  const SAME: [string, () => Record<string, string>][] = [
    [
      'by another host name',
      () => ({ DATABASE_URL: db.url, DATABASE_DIRECT_URL: at(db.url, { hostname: 'localhost' }) }),
    ],
    ['through PgBouncer', () => ({ DATABASE_URL: bouncer.url, DATABASE_DIRECT_URL: db.url })],
  ];

  it.each(SAME)('migrate and a job run: %s', async (_, urls) => {
    expect(await untilEnded(start.migrate([], urls()))).toMatchObject({ code: 0, stderr: '' });
    expect(await untilEnded(start.retention(['metrics'], urls()))).toMatchObject({ code: 0 });
  });

  it.each(['worker', 'retention'] as const)('%s starts', async (part) => {
    await untilReady(start[part]([], { ...SAME[1]?.[1](), PORT: '0' }));
  });

  it('the role of the service needs no superuser to tell', async () => {
    expect(await query(db.url, 'SELECT rolsuper FROM pg_roles WHERE rolname = current_user')).toEqual([
      { rolsuper: false },
    ]);
  });

  it('migrate ends with one line while DATABASE_URL does not answer', async () => {
    const urls = { DATABASE_URL: at(db.url, { port: '1' }), DATABASE_DIRECT_URL: named(db.url, emptyName) };
    const { code, stderr } = await untilEnded(start.migrate([], urls));
    expect(stderr).toMatch(/^DATABASE_URL: 127\.0\.0\.1:1 refused the connection: [^\n]*\n$/);
    expect(code).toBe(1);
  });
});

describe('with several cells', () => {
  beforeAll(async () => {
    await inSqlTransaction((tx) => addCell(tx, 'cell_01'), { statementMs: 60_000 });
  });
  const pooled = () => ({ DATABASE_URL: bouncer.url, DATABASE_DIRECT_URL: db.url, PORT: '0' });
  const LINE =
    /^(?:metrics: )?DATABASE_URL: must be PostgreSQL itself, because there are 2 cells and a pooler \([^\n]*\n$/;

  it.each(['web', 'worker', 'retention'] as const)('%s ends with one line behind PgBouncer', async (part) => {
    const { code, stderr } = await untilEnded(start[part]([], pooled()));
    expect(stderr).toMatch(LINE);
    expect(code).not.toBe(0);
  });

  it('a job of retention fails with this line behind PgBouncer, and runs in each cell without it', async () => {
    expect(await untilEnded(start.retention(['metrics'], pooled()))).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(LINE),
    });
    const direct = { DATABASE_URL: db.url };
    expect(await untilEnded(start.retention(['partitions'], direct))).toMatchObject({ code: 0, stderr: '' });
    const [made] = await query<{ days: number }>(
      db.url,
      `SELECT count(*)::int AS days FROM pg_class WHERE relnamespace = 'cell_01'::regnamespace AND relname ~ '^tunnel_request_log_p\\d{8}$'`,
    );
    expect(made?.days).toBe(9);
  });

  it('migrate runs behind PgBouncer', async () => {
    expect(await untilEnded(start.migrate([], pooled()))).toMatchObject({ code: 0, stderr: '' });
  });
});
