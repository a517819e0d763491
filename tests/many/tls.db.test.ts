import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { withLibpqMeaning } from '@/lib/platform/config/database-url';
import { findFreePort } from '@/lib/platform/free-port';
import { makeTemporaryFolder } from '@/tests/database/postgres';
import { startTlsServer, type TlsServer } from '@/tests/database/tls-server';
import { makeAuthority, makeCertificate } from '@/tests/http/certificate';
import { startReceiver, waitFor } from '@/tests/http/receiver';
import { untilEnded, untilReady, useProcesses } from '@/tests/processes/entry-process';
import { call, setUpProject } from '@/tests/processes/traffic';
import { testVariables } from '@/tests/setup/variables';

const variables = testVariables();
const FUTURE = new Date('2040-01-01');
const folder = makeTemporaryFolder();
const root = path.join(folder, 'root.pem');
const otherRoot = path.join(folder, 'other-root.pem');
let server: TlsServer;

afterAll(async () => {
  await server.stop();
  fs.rmSync(folder, { recursive: true });
});

const verified = (url = server.url, rootFile = root) => `${url}?sslmode=verify-full&sslrootcert=${rootFile}`;
const environment = () => ({ ...variables, DATABASE_URL: verified() });
const start = {
  web: useProcesses('scripts/web.ts', environment),
  webWithoutPages: useProcesses('tests/tunnel/tunnel-process.ts', environment),
  worker: useProcesses('scripts/worker.ts', environment),
  retention: useProcesses('scripts/retention.ts', environment),
  migrate: useProcesses('scripts/migrate.ts', environment),
};

// After those of `start`, which bundle the entries.
beforeAll(async () => {
  const authority = makeAuthority('Own authority', FUTURE);
  fs.writeFileSync(root, authority.cert);
  fs.writeFileSync(otherRoot, makeAuthority('Other authority', FUTURE).cert);
  server = await startTlsServer(makeCertificate('localhost', FUTURE, authority));
  expect(await untilEnded(start.migrate())).toMatchObject({ code: 0, stderr: '' });
});

describe('a PostgreSQL with TLS and an authority of its own', () => {
  it('serves every part and every connection of it, all encrypted', async () => {
    // Before the schedules start, which make up for a run that was missed.
    expect(await untilEnded(start.retention(['main']))).toMatchObject({ code: 0 });
    const receiver = await startReceiver();
    const port = String(await findFreePort());
    const origin = `http://127.0.0.1:${port}`;
    const web = start.webWithoutPages([], { PORT: port, APP_BASE_URL: origin });
    await Promise.all([web, start.worker(), start.retention()].map(untilReady));
    const project = await setUpProject(origin, receiver.url);
    for (let n = 0; n < 5; n++) {
      await call(origin, 'POST', '/events', { 'X-API-Key': project.key }, { type: 'order.paid', data: { n } });
    }
    await waitFor('the deliveries', () => receiver.received.length === 5);

    const client = new pg.Client({ connectionString: withLibpqMeaning(verified()) });
    await client.connect();
    const { rows } = await client.query(
      `SELECT DISTINCT application_name AS name, ssl FROM pg_stat_activity JOIN pg_stat_ssl USING (pid)
       WHERE application_name LIKE 'event-delivery-service%' ORDER BY name`,
    );
    await client.end();
    expect(rows).toEqual([
      { name: 'event-delivery-service', ssl: true },
      { name: 'event-delivery-service listener', ssl: true },
    ]);
  });

  it.each(['sslmode=require', 'sslmode=no-verify'])('is reached without its certificate by %s', async (mode) => {
    const url = `${server.url}?${mode}`;
    expect(await untilEnded(start.retention(['metrics'], { DATABASE_URL: url }))).toMatchObject({ code: 0 });
  });
});

describe('a part ends with one line that names the variable', () => {
  const plain = () => verified(inject('postgres').templateUrl);
  const FAULTS: [string, () => string, RegExp][] = [
    [
      'for an unknown authority',
      () => verified(server.url, otherRoot),
      /the certificate of localhost:\d+ was refused: \S/,
    ],
    [
      'for another host name',
      () => verified(server.url.replace('localhost', '127.0.0.1')),
      /the certificate of 127\.0\.0\.1:\d+ was refused: .*IP: 127\.0\.0\.1 is not in the cert/,
    ],
    ['for a server without TLS', plain, /127\.0\.0\.1:\d+ offers no TLS, which the URL requires/],
    ['for a URL without TLS', () => server.url, /localhost:\d+ requires TLS: add sslmode=verify-full to the URL/],
    [
      'for a file that does not exist',
      () => verified(server.url, '/no/such/file'),
      /names a certificate or key that cannot be read \(default: unset\)/,
    ],
  ];
  const PARTS = ['web', 'worker', 'retention', 'migrate'] as const;

  describe.each(FAULTS)('%s', (_what, url, line) => {
    it.each(PARTS)('%s', async (part) => {
      const { code, stderr } = await untilEnded(start[part]([], { DATABASE_URL: url(), PORT: '0' }));
      expect(stderr).toMatch(new RegExp(`^DATABASE_URL: ${line.source}[^\\n]*\\n$`));
      expect(code).not.toBe(0);
    });

    it('one job of retention', async () => {
      const { code, stderr } = await untilEnded(start.retention(['metrics'], { DATABASE_URL: url() }));
      expect(stderr).toMatch(new RegExp(`^(metrics: )?DATABASE_URL: ${line.source}[^\\n]*\\n$`));
      expect(code).toBe(1);
    });
  });
});
