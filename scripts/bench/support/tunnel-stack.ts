import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { findFreePort } from '@/lib/platform/free-port';
import type { Tunnel } from '@/lib/tunnel/schema';
import { bundleTemporarily } from '@/scripts/start/bundle.mjs';
import { seedProject } from './seed';
import type { Stack } from './stack';

/** A tunnel whose local server, client and web processes each run alone. */
export interface TunnelStack {
  /** Origins: of the local server, of the web process with the client, and of another one. */
  direct: string;
  holder: string;
  other: string;
  /** Path of the tunnel, without a slash at its end. */
  prefix: string;
  web: ChildProcess;
  client: ChildProcess;
  stop(): void;
}

/** Starts two web processes, a local server, and a client that connects to the first. */
export async function startTunnelStack(stack: Stack): Promise<TunnelStack> {
  const { key, projectId } = await seedProject();
  const [holderPort, otherPort] = [await findFreePort(), await findFreePort()];
  const startWeb = (port: number) =>
    stack.startPart('web', { PORT: String(port), TUNNEL_PEER_URL: `http://127.0.0.1:${port}` });
  const web = await startWeb(holderPort);
  await startWeb(otherPort);
  const target = fork('scripts/bench/support/tunnel-target.mjs');
  const [{ port }] = (await once(target, 'message')) as [{ port: number }];
  const [direct, holder] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${holderPort}`];
  const tunnel = await createTunnel(holder, projectId, key);
  const { file } = await bundleTemporarily('scripts/bench/support/tunnel-client.ts');
  const client = fork(file, [holder, projectId, tunnel.id, key, direct]);
  await once(client, 'message');
  rmSync(file, { force: true });
  return {
    ...{ direct, holder, web, client },
    other: `http://127.0.0.1:${otherPort}`,
    prefix: new URL(tunnel.url ?? '').pathname.replace(/\/$/, ''),
    stop: () => {
      client.kill('SIGKILL');
      target.kill('SIGKILL');
    },
  };
}

async function createTunnel(origin: string, projectId: string, key: string): Promise<Tunnel> {
  const response = await fetch(`${origin}/api/v1/projects/${projectId}/tunnels`, {
    method: 'POST',
    headers: { 'X-API-Key': key },
  });
  if (response.status !== 201) throw new Error(`no tunnel: ${await response.text()}`);
  return (await response.json()) as Tunnel;
}
