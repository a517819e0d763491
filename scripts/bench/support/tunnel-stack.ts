import { rmSync } from 'node:fs';
import type { Tunnel } from '@/lib/tunnel/schema';
import { bundleTemporarily } from '@/scripts/start/bundle.mjs';
import { startChild } from './children';
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
  web: { pid?: number | undefined };
  client: { pid: number };
}

/** Starts two web processes, a local server, and a client that connects to the first. */
export async function startTunnelStack(stack: Stack): Promise<TunnelStack> {
  const { key, projectId } = await seedProject();
  const { origin: holder, web } = await stack.startWeb();
  const { origin: other } = await stack.startWeb();
  const target = await startChild<{ port: number }>('scripts/bench/support/tunnel-target.mjs');
  const direct = `http://127.0.0.1:${target.ready.port}`;
  const tunnel = await createTunnel(holder, projectId, key);
  const { file } = await bundleTemporarily('scripts/bench/support/tunnel-client.ts');
  const client = await startChild(file, [holder, projectId, tunnel.id, key, direct]);
  rmSync(file, { force: true });
  return { direct, holder, other, web, client, prefix: new URL(tunnel.url ?? '').pathname.replace(/\/$/, '') };
}

async function createTunnel(origin: string, projectId: string, key: string): Promise<Tunnel> {
  const response = await fetch(`${origin}/api/v1/projects/${projectId}/tunnels`, {
    method: 'POST',
    headers: { 'X-API-Key': key },
  });
  if (response.status !== 201) throw new Error(`no tunnel: ${await response.text()}`);
  return (await response.json()) as Tunnel;
}
