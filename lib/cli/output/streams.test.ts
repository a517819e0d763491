import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { Terminal } from '@/lib/cli/terminal';
import { useEds } from '@/tests/cli/eds';
import { storeSession } from '@/tests/cli/session-file';
import { useStubServer } from '@/tests/cli/stub-server';
import { Progress } from './progress';

const server = useStubServer();
const eds = useEds(server.url);

const PROJECTS = '/api/v1/orgs/0190b4f0-0000-7000-8000-000000000000/projects';
const ESCAPE = '\x1b';
/** Clears the screen, sets the title, reverses the text: as escape sequences of 7 and of 8 bits. */
const HOSTILE = 'Shop\x1b[2J\x1b]0;owned\x07\x9b31m\u202egpj.exe\r\n';

function serveProjects({ name = 'Shop', nextCursor = null as string | null } = {}) {
  storeSession(eds, server.url(), { organizationId: '0190b4f0-0000-7000-8000-000000000000' });
  const row = { id: '0190b4f0-0000-7000-8000-000000000001', name, createdAt: '2026-01-01T00:00:00.000Z' };
  let page = 0;
  server.on(PROJECTS, (response) => {
    page += 1;
    const body = { data: Array(100).fill(row), nextCursor: nextCursor && `${nextCursor}${page}` };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
}

const list = ['projects', 'list', '--limit', '2'];

describe('colors', () => {
  it('of results follow standard output', async () => {
    serveProjects();
    expect((await eds.run(list, { tty: ['stdout'] })).stdout).toContain(ESCAPE);
    expect((await eds.run(list, { tty: ['stderr'] })).stdout).not.toContain(ESCAPE);
    expect((await eds.run(list, { tty: ['stdout'], env: { NO_COLOR: '1' } })).stdout).not.toContain(ESCAPE);
  });

  it('of words follow standard error, and --no-color turns them off', async () => {
    const failing = ['projects', 'list'];
    expect((await eds.run(failing, { tty: ['stderr'] })).stderr).toContain(ESCAPE);
    expect((await eds.start([...failing, '--no-color'], { tty: ['stderr'] }).ended).stderr).not.toContain(ESCAPE);
  });
});

describe('text of the server', () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not appear.
  const OBEYED = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/;

  it('cannot control the terminal: lists, JSON, and questions', async () => {
    serveProjects({ name: HOSTILE });
    server.onJson('/api/v1/projects/0190b4f0-0000-7000-8000-000000000001', { id: 'x', name: HOSTILE });
    const remove = ['projects', 'delete', '0190b4f0-0000-7000-8000-000000000001'];
    const env = { NO_COLOR: '1' };
    const results = [
      await eds.run(list, { env, tty: ['stdout'] }),
      await eds.run(list, { env }),
      await eds.run([...list, '--json'], { env, tty: ['stdout'] }),
      await eds.run(remove, { env, tty: ['stdin', 'stderr'], stdin: 'n\n' }),
    ];
    for (const { stdout, stderr } of results) {
      expect(stdout + stderr).toContain('Shop');
      expect(stdout + stderr).not.toMatch(OBEYED);
    }
    expect(JSON.parse(results[2]?.stdout ?? '')[0].name).toBe(HOSTILE);
  });

  it('cannot control the terminal: errors, their request ids and versions', async () => {
    storeSession(eds, server.url());
    const problem = {
      code: HOSTILE,
      detail: HOSTILE,
      requestId: HOSTILE,
      errors: [{ path: HOSTILE, message: HOSTILE }],
    };
    server.on('/api/v1/auth/me', (response) =>
      response.writeHead(400, { 'x-eds-version': '9\x9b31m' }).end(JSON.stringify(problem)),
    );
    for (const args of [['whoami'], ['whoami', '--json']]) {
      const { code, stderr } = await eds.run(args, { env: { NO_COLOR: '1' }, tty: ['stderr'] });
      expect(code).toBe(1);
      expect(stderr).toContain('Shop');
      expect(stderr).not.toMatch(OBEYED);
    }
  });

  it('cannot control the terminal: ids, times and numbers of events, attempts, records and progress', async () => {
    storeSession(eds, server.url());
    const base = '/api/v1/projects/0190b4f0-0000-7000-8000-000000000001';
    const hostile = { id: HOSTILE, type: HOSTILE, name: HOSTILE, createdAt: HOSTILE, status: HOSTILE };
    const attempt = { attemptNumber: HOSTILE, responseStatus: HOSTILE, remoteAddress: HOSTILE, startedAt: HOSTILE };
    const ofAttempt = { ...attempt, durationMs: 1, error: null, succeeded: true, responseBody: null, timing: null };
    server.onJson('/api/v1/events', hostile, 202);
    // V8 ignores what is in parentheses.
    server.onJson(base, { ...hostile, createdAt: `Jan 1 2026 (${HOSTILE})` });
    server.onJson(`${base}/endpoints/${base.slice(-36)}`, { ...hostile, url: HOSTILE });
    server.onJson(`${base}/deliveries/d`, {
      ...hostile,
      endpointId: base.slice(-36),
      attemptCount: 1,
      storedAttempts: 1,
    });
    server.onJson(`${base}/deliveries/d/attempts`, {
      data: [{ ...ofAttempt, responseHeaders: null, responseHeadersTruncated: false }],
      nextCursor: null,
    });
    const env = { NO_COLOR: '1', EDS_PROJECT: base.slice(-36) };
    const asKey = { NO_COLOR: '1', EDS_API_KEY: 'eds_x' };
    const results = {
      lines: await eds.run(['send', '--stdin'], { env: asKey, tty: ['stdout'], stdin: '{"type":"a","data":{}}\n' }),
      record: await eds.run(['projects', 'get', base.slice(-36)], { env, tty: ['stdout'] }),
      attempts: await eds.run(['deliveries', 'get', 'd'], { env, tty: ['stdout'] }),
    };
    for (const [name, { stdout, stderr }] of Object.entries(results)) {
      expect(stdout, `${name} ${stderr}`).toContain('Shop');
      expect(stdout + stderr, name).not.toMatch(OBEYED);
    }
    const written: string[] = [];
    const stderr = { isTTY: true, columns: 200, write: (text: string) => written.push(text) };
    new Progress({ stderr, env: {} } as unknown as Terminal).show(HOSTILE);
    const [line = ''] = written;
    expect(line).toContain('Shop');
    expect(line.replace('\r\x1b[2K', '')).not.toMatch(OBEYED);
  });

  it('cannot control the terminal: events and entries that are followed', async () => {
    storeSession(eds, server.url(), { organizationId: '0190b4f0-0000-7000-8000-000000000000' });
    const base = '/api/v1/projects/0190b4f0-0000-7000-8000-000000000001';
    const row = { id: HOSTILE, type: HOSTILE, createdAt: HOSTILE, action: 'a', actor: { type: 'USER' }, target: {} };
    server.onJson(`${base}/events`, { data: [row], nextCursor: null });
    server.onJson('/api/v1/orgs/0190b4f0-0000-7000-8000-000000000000/audit-log', { data: [row], nextCursor: null });
    for (const args of [
      ['events', 'tail', '--from', '10m'],
      ['audit', 'list', '--follow', '--from', '10m'],
    ]) {
      const env = { NO_COLOR: '1', EDS_PROJECT: base.slice(-36) };
      const running = eds.start(args, { env, tty: ['stdout'] });
      await running.waitFor('Shop');
      running.child.kill('SIGINT');
      const { stdout } = await running.ended;
      expect(stdout, args.join(' ')).not.toMatch(OBEYED);
    }
  });

  it('adds no line and no color to hints, notes and errors', async () => {
    storeSession(eds, server.url());
    const forged = '\x1b[31mEVIL\x1b[39m\nNext:  eds logout';
    const projectId = '0190b4f0-0000-7000-8000-000000000001';
    server.onJson(`/api/v1/projects/${projectId}/api-keys`, { id: forged, name: 'a', key: 'eds_x' }, 201);
    server.onJson(`/api/v1/projects/${projectId}/tunnels`, { id: forged, name: forged, basicAuth: null }, 201);
    server.onJson('/api/v1/auth/me', { code: 'x', detail: forged, errors: [{ path: forged, message: forged }] }, 400);
    const commands = [
      ['keys', 'create', 'a', '--project', projectId],
      ['tunnels', 'create', 'a', '--project', projectId],
      ['whoami'],
    ];
    for (const args of commands) {
      const { stderr } = await eds.run(args, { env: { NO_COLOR: '1' }, tty: ['stderr'] });
      expect(stderr, args.join(' ')).toContain('\\x1b[31mEVIL');
      expect(stderr, args.join(' ')).not.toMatch(OBEYED);
      expect(stderr, args.join(' ')).not.toMatch(/^Next:/m);
    }
  });

  it.each([200, 400, 401])('is not read to its end when it has none: status %i', async (status) => {
    storeSession(eds, server.url());
    server.on('/api/v1/auth/me', (response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      const chunk = Buffer.alloc(1024 * 1024, ' ');
      const more = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', more);
      more();
    });
    const { code, stderr } = await eds.run(['whoami']);
    expect(code).toBe(status === 401 ? 4 : 1);
    expect(stderr).toContain('The response is not');
  });

  it('has no say in what a newer server calls itself', async () => {
    storeSession(eds, server.url());
    const me = { user: { email: 'ada@example.com' }, organizations: [] };
    server.onJson('/api/v1/auth/me', me, 200, { 'x-eds-version': '99.1.0' });
    const noted = await eds.run(['whoami'], { tty: ['stderr'] });
    expect(noted.stderr).toMatch(/The server runs version 99\.1\.0, but this is eds \d+\.\d+\.\d+/);
    expect(noted.stderr).toContain(`npm install --global ${server.url()}/downloads/eds.tgz`);
    expect((await eds.run(['whoami'])).stderr).toBe('');
    server.onJson('/api/v1/auth/me', { code: 'gone', detail: 'It is gone.' }, 400, { 'x-eds-version': '99.1.0' });
    expect((await eds.run(['whoami'], { tty: ['stderr'] })).stderr).toContain('The server runs version 99.1.0');
  });
});

describe('an output that ends early', () => {
  it('ends a list without a word and with 0, as `| head` expects', async () => {
    serveProjects({ nextCursor: 'c' });
    const running = eds.start(['projects', 'list', '--all']);
    await running.waitFor('Shop');
    running.child.stdout?.destroy();
    const [code] = await once(running.child, 'exit');
    expect([code, running.stderr]).toEqual([0, '']);
  });

  it('is an error when the disk is full', async () => {
    serveProjects();
    const child = spawn('sh', ['-c', '"$0" "$@" > /dev/full', process.execPath, eds.bundle, ...list], {
      env: { NODE_ENV: 'production', PATH: process.env.PATH, EDS_CONFIG_DIR: eds.folder, EDS_API_URL: server.url() },
    });
    let words = '';
    child.stderr.on('data', (chunk) => {
      words += chunk;
    });
    const [code] = await once(child, 'close');
    expect([code, words]).toEqual([1, expect.stringContaining('We couldn’t write the output.')]);
  });
});
