import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { registerPerson } from '@/tests/fixtures/people';
import { useTunnelServer } from '@/tests/tunnel/tunnel-server';
import { Api, signIn } from './account';
import { sendIncoming, sendLiveEvents } from './trickle';
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
    expect(account.email).toBe('ada@northwind.example');
    expect(await count('organizations')).toBe(1);
  });

  it('is refused in a database that others use, unless it is asked for', async () => {
    await registerPerson();
    const elsewhere = path.join(dataDir, 'elsewhere');
    await expect(signIn(api(), elsewhere, false)).rejects.toThrow('--add-to-existing');
    expect(fs.existsSync(elsewhere)).toBe(false);
    await signIn(api(), elsewhere, true);
    expect(fs.existsSync(elsewhere)).toBe(true);
  });

  it('gets another address when its own is taken', async () => {
    await signIn(api(), dataDir, false);
    const { email } = await signIn(api(), path.join(dataDir, 'another'), true);
    expect(email).toMatch(/^ada\.[0-9a-f]{4}@northwind\.example$/);
  });

  it('has a confirmed address, whose mailed link is used up', async () => {
    const { userId, token } = await signIn(api(), dataDir, false);
    const me = await api().call<{ user: { emailVerified: boolean } }>('GET', '/auth/me', { token });
    expect(me.user.emailVerified).toBe(true);
    expect(await count(`user_tokens WHERE used_at IS NULL AND user_id = '${userId}'`)).toBe(0);
  });

  it('signs in as a browser does, so that its sessions name one', async () => {
    const { token } = await signIn(api(), dataDir, false);
    const sessions = await api().call<{ data: { device: string }[] }>('GET', '/auth/sessions', { token });
    expect(new Set(sessions.data.map(({ device }) => device))).toEqual(new Set(['Chrome on macOS']));
  });
});

describe('the workspace of the demo', () => {
  it('is found again by a second run, whose receiver may have another port', async () => {
    const account = await signIn(api(), dataDir, false);
    const first = await makeWorkspace(api(), account, '127.0.0.1:4747');
    const tables = [
      'projects',
      'customers',
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
    for (const provider of ['GITHUB', 'STRIPE'] as const) {
      const { pathname } = new URL(workspace.sourceUrls[provider]);
      workspace.sourceUrls[provider] = `${server.origin}${pathname}`;
    }
    const stopping = new AbortController();
    const sending = sendLiveEvents(api(), account, workspace, stopping.signal);
    await expect.poll(() => count('events'), { timeout: 10_000 }).toBeGreaterThan(0);
    await expect.poll(() => count('incoming_events WHERE verified'), { timeout: 10_000 }).toBeGreaterThan(0);
    stopping.abort();
    await sending;
  });

  it.each(['GITHUB', 'STRIPE'] as const)(
    'sends requests of %s with its headers alone, and they verify',
    async (provider) => {
      const account = await signIn(api(), dataDir, false);
      const { projectId, sources, sourceUrls } = await makeWorkspace(api(), account, '127.0.0.1:4748');
      const { id } = sources.find((source) => source.provider === provider) ?? {};
      const path = `/projects/${projectId}/sources/${id}/secret`;
      const { secret } = await api().call<{ secret: string }>('GET', path, { token: account.token });
      await sendIncoming(`${server.origin}${new URL(sourceUrls[provider]).pathname}`, provider, secret);
      const { rows } = await database().query<{ verified: boolean; headers: string; provider_event_id: string }>(
        'SELECT verified, headers, provider_event_id FROM incoming_events WHERE source_id = $1 ORDER BY id DESC LIMIT 1',
        [id],
      );
      expect(rows[0]).toMatchObject({ verified: true, provider_event_id: expect.any(String) });
      const names = new Map<string, string>(JSON.parse(rows[0]?.headers ?? '[]'));
      expect(names.get('user-agent')).toMatch(provider === 'GITHUB' ? /^GitHub-Hookshot\// : /^Stripe\/1\.0 /);
      expect([...names.keys()].filter((name) => /^(sec-|accept-)/.test(name))).toEqual([]);
    },
  );
});
