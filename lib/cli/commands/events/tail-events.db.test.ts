import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '@/lib/platform/ids';
import { useEds } from '@/tests/cli/eds';
import { useDatabase } from '@/tests/database/use-database';
import { useProjects } from '@/tests/fixtures/projects';
import { useWebServer } from '@/tests/http/adapters';
import { call } from '@/tests/http/api-request';
import { waitFor } from '@/tests/http/receiver';
import { TcpProxy } from '@/tests/http/tcp-proxy';

useDatabase();
const projects = useProjects();
const server = useWebServer();
let proxy: TcpProxy;
beforeAll(async () => {
  proxy = new TcpProxy({ host: '127.0.0.1', port: server.port() });
  await proxy.open();
});
afterAll(() => proxy.cut());
const eds = useEds(() => `http://127.0.0.1:${proxy.port}`);

async function send(type: string, data: object = {}): Promise<string> {
  const options = { apiKey: projects.mine.key, body: { type, data } };
  return (await call<{ id: string }>('POST', '/api/v1/events', options)).json.id;
}

/** Starts a tail at a terminal for words, so that the test knows when it follows. */
async function tail(args: string[] = []) {
  const env = { EDS_API_KEY: projects.mine.readOnlyKey, NO_COLOR: '1' };
  const running = eds.start(['events', 'tail', ...args], { env, tty: ['stderr'] });
  await waitFor('the first poll', () => running.stderr !== '' || running.stdout !== '' || args.includes('--json'));
  return {
    running,
    lines: () => running.stdout.split('\n').filter((line) => line !== ''),
    stop: async () => {
      running.child.kill('SIGINT');
      return (await running.ended).code;
    },
  };
}

describe('eds events tail', () => {
  it('shows the events since it began, each once and in order, and ends with 130 on Ctrl-C', async () => {
    await send('before');
    const { running, lines, stop } = await tail();
    const sent: string[] = [];
    for (let i = 0; i < 5; i += 1) sent.push(await send(`after.${i}`));
    await running.waitFor(/after\.4/);
    sent.push(await send('after.5'));
    await running.waitFor(/after\.5/);
    expect(lines().map((line) => line.split('\t'))).toEqual(
      sent.map((id, i) => [expect.stringMatching(/Z$/), id, `after.${i}`]),
    );
    expect(await stop()).toBe(130);
  });

  it('shows earlier events of a type with their data as NDJSON', async () => {
    const id = await send('past.a', { n: 1 });
    await send('other');
    const { running, lines, stop } = await tail(['--from', '1h', '--type', 'past.*', '--with-data', '--json']);
    await running.waitFor(/past\.a/);
    const next = await send('past.b', { n: 2 });
    await running.waitFor(/past\.b/);
    expect(lines().map((line) => JSON.parse(line))).toMatchObject([
      { id, type: 'past.a', data: { n: 1 }, deliveries: [] },
      { id: next, type: 'past.b', data: { n: 2 } },
    ]);
    expect(await stop()).toBe(130);
  });

  it('says when the server is away, and then shows what it has missed', async () => {
    const { running, lines, stop } = await tail();
    await send('first');
    await running.waitFor(/first/);
    await proxy.cut();
    await running.waitFor('Trying again…');
    const ids = [await send('missed.a'), await send('missed.b')];
    await proxy.open();
    await running.waitFor('The server is back.');
    await running.waitFor(/missed\.b/);
    expect(lines().slice(1)).toEqual(ids.map((id) => expect.stringContaining(id)));
    expect(await stop()).toBe(130);
  });

  it('ends with the error when it may not read: 3 for a foreign project, 4 without a key', async () => {
    const env = { EDS_API_KEY: projects.mine.readOnlyKey };
    expect((await eds.run(['events', 'tail', '--project', projects.foreign.id], { env })).code).toBe(3);
    expect((await eds.run(['events', 'tail', '--project', newId()], { env: {} })).code).toBe(4);
  });
});
