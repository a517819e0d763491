import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { changeWatch } from '@/lib/changes/change-watch';
import { settleBackground } from '@/lib/platform/background';
import { inCell } from '@/lib/platform/cells/current-cell';
import { inSqlTransaction } from '@/lib/platform/db';
import { findPublicTunnels } from '@/lib/tunnel/records/find-tunnels';
import { TunnelFinder } from '@/lib/tunnel/relay/find-tunnel';
import { count, run } from '@/tests/database/rows';
import { useCells } from '@/tests/database/use-cells';
import { useDatabase } from '@/tests/database/use-database';
import { makeTestProject } from '@/tests/fixtures/projects';
import { logRequest, type MadeTunnel, makeTunnel } from '@/tests/fixtures/tunnels';
import { startLocal } from '@/tests/tunnel/local-server';
import { clientOf, connectClient, useTunnelServer } from '@/tests/tunnel/tunnel-server';
import { visit } from '@/tests/tunnel/visit';

useDatabase();
const [SILENT, OTHER] = useCells('cell_01') as [string, string];
const server = useTunnelServer();

interface Made {
  project: Awaited<ReturnType<typeof makeTestProject>>;
  tunnel: MadeTunnel;
  token: string;
}

/** A tunnel in each cell. */
let silent: Made;
let other: Made;
beforeAll(async () => {
  const made: Made[] = [];
  for (const _ of [SILENT, OTHER]) {
    const project = await makeTestProject();
    const tunnel = await makeTunnel(project);
    made.push({ project, tunnel, token: new URL(tunnel.url).pathname.split('/')[2] ?? '' });
  }
  [silent, other] = made as [Made, Made];
});

/** From now on, no statement about tunnels of one cell gets an answer. @returns a function that ends this; the end of the test does so, too */
async function silence(): Promise<() => Promise<void>> {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const held = inSqlTransaction(async (tx) => {
    const tables = ['tunnels', 'tunnel_connections', 'tunnel_request_log'].map((table) => `${SILENT}.${table}`);
    await tx.query(`LOCK TABLE ${tables.join(', ')} IN ACCESS EXCLUSIVE MODE`);
    begin();
    await ended;
  });
  const endSilence = async () => {
    end();
    await held;
    await settleBackground();
  };
  onTestFinished(endSilence);
  await Promise.race([begun, held]);
  return endSilence;
}

describe('while one cell does not answer', () => {
  it('the tunnels of another are found, also together with those of that cell', async () => {
    const finder = new TunnelFinder(findPublicTunnels);
    const end = await silence();
    const waiting = finder.find(silent.token);
    expect((await finder.find(other.token))?.id).toBe(other.tunnel.id);
    finder.forget(null);
    expect((await finder.find(other.token))?.id).toBe(other.tunnel.id);
    await end();
    expect((await waiting)?.id).toBe(silent.tunnel.id);
  });

  it('the clients of another stay connected, and their rows are renewed', async () => {
    const local = await startLocal((_message, response) => void response.end('served'));
    for (const { project, tunnel } of [silent, other]) {
      const options = { id: tunnel.id, projectId: project.id, key: project.key, prefix: '' };
      await connectClient(clientOf(server.origin, options, local.url));
    }
    const old = `heartbeat_at < now() - interval '10 s'`;
    for (const cell of [SILENT, OTHER]) {
      await inCell(cell, () => run(`UPDATE tunnel_connections SET heartbeat_at = now() - interval '20 s'`));
    }
    await silence();
    // As if signals were missed.
    await run(`SELECT pg_notify('tunnel_signal', '')`);
    const left = () => inCell(OTHER, () => count(`SELECT FROM tunnel_connections WHERE ${old}`));
    await expect.poll(left).toBe(0);
    expect(String((await visit(server.origin + new URL(other.tunnel.url).pathname)).body)).toBe('served');
  });

  it('requests to the tunnels of another are logged', async () => {
    const logged = () => inCell(OTHER, () => count('SELECT FROM tunnel_request_log WHERE path = $1', '/logged'));
    await silence();
    logRequest(silent.tunnel, silent.project.id, { path: '/logged' });
    logRequest(other.tunnel, other.project.id, { path: '/logged' });
    await expect.poll(logged).toBe(1);
    logRequest(other.tunnel, other.project.id, { path: '/logged' });
    await expect.poll(logged).toBe(2);
  });
});

describe('watchers of changes', () => {
  const seen: string[] = [];
  const watch = (cell: string, { project }: Made) => {
    const watcher = {
      ready: () => void seen.push(`${cell} ready`),
      changed: (kinds: readonly string[]) => void seen.push(`${cell} ${kinds.join()}`),
      end: () => void seen.push(`${cell} end`),
    };
    onTestFinished(inCell(cell, () => changeWatch().watch(project.id, watcher)));
  };
  beforeEach(() => {
    seen.length = 0;
  });

  it('are told of those in their cell while another does not answer', async () => {
    await silence();
    watch(SILENT, silent);
    watch(OTHER, other);
    await expect.poll(() => seen).toEqual([`${OTHER} ready`]);
    logRequest(other.tunnel, other.project.id);
    await expect.poll(() => seen).toEqual([`${OTHER} ready`, `${OTHER} tunnelRequests`]);
  });

  it('are ended when their project has moved to another cell, and those of the cell are not', async () => {
    watch(OTHER, silent);
    watch(OTHER, other);
    await expect.poll(() => seen).toEqual([`${OTHER} end`, `${OTHER} ready`]);
  });
});
