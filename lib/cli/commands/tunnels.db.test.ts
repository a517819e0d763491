import { describe, expect, it } from 'vitest';
import { findFreePort } from '@/lib/platform/free-port';
import type { Tunnel, TunnelRequest } from '@/lib/tunnel/schema';
import type { RunOptions } from '@/tests/cli/eds';
import { useEds } from '@/tests/cli/eds';
import { useService } from '@/tests/cli/use-service';
import { useDatabase } from '@/tests/database/use-database';
import { useProjects } from '@/tests/fixtures/projects';
import { sourceTools } from '@/tests/fixtures/sources';
import { makeTunnel } from '@/tests/fixtures/tunnels';
import { startReceiver, waitFor } from '@/tests/http/receiver';
import { connectClient } from '@/tests/tunnel/tunnel-server';
import { visit } from '@/tests/tunnel/visit';

const PORT = await findFreePort();
const SERVICE = `http://localhost:${PORT}`;

useDatabase({ APP_BASE_URL: SERVICE, PORT: String(PORT) });
const projects = useProjects();
useService(PORT);
const eds = useEds(() => SERVICE);
const { manage } = sourceTools(() => projects.mine);

const run = (args: string[], { env, ...options }: RunOptions = {}) =>
  eds.run(['tunnels', ...args], { ...options, env: { EDS_API_KEY: projects.mine.key, ...env } });
const json = async <T>(args: string[], options?: RunOptions): Promise<T> => {
  const { stdout, stderr } = await run([...args, '--json'], options);
  expect(stdout, stderr).not.toBe('');
  return JSON.parse(stdout) as T;
};

/** Connects a local server to a tunnel. */
async function connect(tunnel: Tunnel) {
  const receiver = await startReceiver();
  await connectClient({
    url: SERVICE,
    projectId: projects.mine.id,
    tunnelId: tunnel.id,
    target: new URL(`http://127.0.0.1:${receiver.port}`),
    env: {},
    authorization: async () => `Bearer ${projects.mine.key}`,
  });
  return receiver;
}

describe('eds tunnels', () => {
  it('create writes the URL, and takes a password from standard input only', async () => {
    const made = await run(['create', 'laptop']);
    expect([made.code, made.stdout]).toEqual([0, expect.stringMatching(/^http:\S+\/t\/\S+\/\n$/)]);
    expect(made.stderr).toMatch(/✓ Created the tunnel laptop .*\nConnect a server: eds listen <port> --tunnel /);
    const locked = await json<Tunnel>(['create', '--basic-auth', 'ada', '--allow', '10.0.0.0/8', '--allow', '::1'], {
      stdin: 'long enough\n',
    });
    expect(locked).toMatchObject({ basicAuth: { username: 'ada' }, allowedCidrs: ['10.0.0.0/8', '::1/128'] });
    expect(JSON.stringify(locked)).not.toContain('long enough');
    const basic = Buffer.from('ada:long enough').toString('base64');
    expect((await visit(locked.url ?? '', { headers: { authorization: `Basic ${basic}` } })).status).toBe(403);
  });

  it('create makes a test receiver, which answers what it is told', async () => {
    const failing = await json<Tunnel>(['create', '--test-receiver', '--status', '503']);
    expect(failing.testResponse).toEqual({ status: 503, delaySeconds: 0 });
    expect((await visit(failing.url ?? '')).status).toBe(503);
    const made = await run(['create', '--test-receiver']);
    expect(made.stderr).toMatch(/\nShow what it receives: eds tunnels requests \S+\n$/);
    const refused = await run(['create', '--status', '503']);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('with --test-receiver')]);
  });

  it('update changes what is named, and removes the password, the addresses and the test receiver', async () => {
    const { id } = await makeTunnel(projects.mine, { name: 'changed' });
    const access = ['--basic-auth', 'ada', '--allow', '203.0.113.0/24', '--test-receiver', '--status', '503'];
    const closed = await json<Tunnel>(['update', 'changed', ...access], { env: { EDS_SECRET: 'seven tall ships' } });
    expect(closed).toMatchObject({ basicAuth: { username: 'ada' }, allowedCidrs: ['203.0.113.0/24'] });
    expect(closed.testResponse).toEqual({ status: 503, delaySeconds: 0 });
    const renamed = await json<Tunnel>(['update', id, '--name', 'open']);
    expect(renamed).toEqual({ ...closed, name: 'open', updatedAt: renamed.updatedAt });
    const open = await json<Tunnel>(['update', 'open', '--no-basic-auth', '--no-allow', '--no-test-receiver']);
    expect(open).toMatchObject({ basicAuth: null, allowedCidrs: [], testResponse: null });
    expect((await run(['update', id])).code).toBe(2);
  });

  it('list and get show who is online, as a table, as plain lines and as JSON', async () => {
    const tunnel = await makeTunnel(projects.mine, { name: 'shown' });
    await connect(tunnel);
    const table = await run(['list'], { tty: ['stdout'], columns: 200, env: { NO_COLOR: '1' } });
    expect(table.stdout).toMatch(/^ID +NAME +STATE +URL +LAST SEEN\n/);
    const plain = await run(['list']);
    expect(plain.stdout).toContain([tunnel.id, 'shown', 'online', tunnel.url].join('\t'));
    expect(await json(['get', 'shown'])).toMatchObject({ id: tunnel.id, online: true });
  });

  it('requests lists and shows what went through, harmless for a terminal, and replay repeats it', async () => {
    const tunnel = await makeTunnel(projects.mine, { name: 'logged' });
    const { received } = await connect(tunnel);
    await visit(`${tunnel.url}a?b=1`, { method: 'POST', body: '{"x":"\x1b[2J"}', headers: { 'x-note': 'hi' } });
    await visit(`${tunnel.url}other`);
    const log = async () =>
      (await manage<{ data: TunnelRequest[] }>('GET', `/tunnels/${tunnel.id}/requests`)).data.length;
    await waitFor('the log', async () => (await log()) === 2);
    const [entry] = await json<TunnelRequest[]>(['requests', 'logged', '--method', 'post']);
    expect(entry).toMatchObject({ method: 'POST', path: '/a?b=1', responseStatus: 200 });
    const id = entry?.id ?? '';
    const shown = await run(['requests', 'logged', id], { tty: ['stdout'], env: { NO_COLOR: '1' } });
    expect(shown.stdout).toMatch(
      /\nRequest\n[\s\S]*x-note: hi\n[\s\S]*\{"x":"\\x1b\[2J"\}\n\nResponse\n[\s\S]*\nok\n$/,
    );
    const replayed = await run(['replay', tunnel.id, id]);
    expect([replayed.code, replayed.stderr]).toEqual([0, expect.stringContaining('✓ Replayed the request.')]);
    await waitFor('the replay', () => received.length === 3);
    expect(received[2]).toMatchObject({ method: 'POST', path: '/a?b=1' });
  });

  it('delete asks first: on a terminal, elsewhere by --yes', async () => {
    const { id } = await makeTunnel(projects.mine, { name: 'old' });
    expect((await run(['delete', 'old'])).code).toBe(2);
    const asked = await run(['delete', 'old'], { tty: ['stdin', 'stderr'], stdin: 'y\n' });
    expect([asked.code, asked.stderr]).toEqual([0, expect.stringContaining('Delete the tunnel old with its URL?')]);
    expect((await run(['delete', id, '--yes'])).code).toBe(3);
  });
});
