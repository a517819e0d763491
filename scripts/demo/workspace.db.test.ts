import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { registerPerson } from '@/tests/fixtures/people';
import { useTunnelServer } from '@/tests/tunnel/tunnel-server';
import { signIn } from './account';
import { Api } from './api';
import { sendLiveEvents } from './trickle';
import { makeWorkspace } from './workspace';

useDatabase();
const server = useTunnelServer();
let dataDir: string;
beforeAll(() => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'demo-'));
});
afterAll(() => fs.rmSync(dataDir, { recursive: true, force: true }));

const api = () => new Api(server.origin);
const count = async (table: string) => {
  const { rows } = await database().query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`);
  return rows[0]?.n;
};

describe('the account of the demo', () => {
  it('is registered once in an empty database, and only its owner may read the password', async () => {
    const account = await signIn(api(), dataDir, false);
    expect(await count('organizations')).toBe(1);
    expect(fs.statSync(path.join(dataDir, 'demo.json')).mode & 0o777).toBe(0o600);
    const again = await signIn(api(), dataDir, false);
    expect([again.email, again.organizationId]).toEqual([account.email, account.organizationId]);
    expect(await count('organizations')).toBe(1);
  });

  it('is refused in a database that others use, unless it is asked for', async () => {
    await registerPerson();
    const elsewhere = path.join(dataDir, 'elsewhere');
    await expect(signIn(api(), elsewhere, false)).rejects.toThrow('--add-to-existing');
    expect(fs.existsSync(elsewhere)).toBe(false);
    expect((await signIn(api(), elsewhere, true)).email).toMatch(/^demo-/);
  });
});

describe('the workspace of the demo', () => {
  it('is found again by a second run, whose receiver may have another port', async () => {
    const account = await signIn(api(), dataDir, false);
    const first = await makeWorkspace(api(), account, '127.0.0.1:4747');
    const tables = [
      'projects',
      'endpoints',
      'subscriptions',
      'sources',
      'destinations',
      'tunnels',
      'api_keys',
      'invitations',
    ];
    const before = await Promise.all(tables.map(count));
    const second = await makeWorkspace(api(), account, '127.0.0.1:4748');
    expect(await Promise.all(tables.map(count))).toEqual(before);
    expect(second.targets.map(({ id }) => id)).toEqual(first.targets.map(({ id }) => id));
    const { rows } = await database().query<{ url: string }>(`SELECT url FROM endpoints WHERE url LIKE 'http://127%'`);
    expect(rows.length).toBe(first.targets.length);
    expect(rows.every(({ url }) => url.startsWith('http://127.0.0.1:4748/'))).toBe(true);
  });

  it('sends live events that verify, until it is stopped', async () => {
    const account = await signIn(api(), dataDir, false);
    const workspace = await makeWorkspace(api(), account, '127.0.0.1:4748');
    // The URL of a source names the configured address; the test server has another port.
    const url = new URL(workspace.sourceUrls.GITHUB);
    workspace.sourceUrls.GITHUB = `${server.origin}${url.pathname}`;
    const stopping = new AbortController();
    const sending = sendLiveEvents(api(), account, workspace, stopping.signal);
    await expect.poll(() => count('events'), { timeout: 10_000 }).toBeGreaterThan(0);
    await expect.poll(() => count('incoming_events WHERE verified'), { timeout: 10_000 }).toBeGreaterThan(0);
    stopping.abort();
    await sending;
  });
});
