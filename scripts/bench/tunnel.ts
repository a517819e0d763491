import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Tunnel } from '@/lib/tunnel/schema';
import { bundleTemporarily } from '@/scripts/start/bundle.mjs';
import { readArguments } from './support/bench-arguments';
import { startChild } from './support/children';
import { checkFigure, checkValue, quantile, reportFigure, say } from './support/figures';
import { getAtPace } from './support/http-load';
import { residentMb } from './support/process-cost';
import { seedProject } from './support/seed';
import { type Stack, withStack } from './support/stack';

const PER_SECOND = 200;
const WARM_UP_MS = 5_000;
const LARGE_BODIES = 10;
const LARGE_BYTES = 10 * 1024 * 1024;
const SETTLE_MS = 1_000;
/** The first batch of large bodies, and four more. */
const LARGE_BATCHES = 5;
const FULL = { rounds: 5, roundMs: 12_000 };
const QUICK = { rounds: 2, roundMs: 4_000 };

interface Round {
  directMs: number[];
  tunnelMs: number[];
  /** Through a web process that the client is not connected to. */
  peerMs: number[];
  webMb: number;
  clientMb: number;
}

/**
 * Latency of requests through a tunnel, compared with the same requests without it in the same run; and the memory of the web
 * process and of the client over 12,000 requests and ten bodies of 10 MB each way. Linux only.
 */
export async function main(args: string[]): Promise<void> {
  const lengths = readArguments(args).isQuick ? QUICK : FULL;
  await withStack(async (stack) => {
    const tunnel = await startTunnelStack(stack);
    const pool = (origin: string) => new Pool(origin, { connections: 32 });
    const direct = pool(tunnel.direct);
    const holder = pool(tunnel.holder);
    const other = pool(tunnel.other);
    const path = `${tunnel.prefix}/orders?limit=20`;
    const at = (through: Pool, where: string, ms: number) => getAtPace(through, where, {}, PER_SECOND, ms);
    for (const each of [holder, other]) await at(each, path, WARM_UP_MS);
    const rounds: Round[] = [];
    for (let round = 1; round <= lengths.rounds; round++) {
      say(`round ${round} of ${lengths.rounds}`);
      const directMs = await at(direct, '/orders?limit=20', lengths.roundMs);
      const tunnelMs = await at(holder, path, lengths.roundMs);
      const peerMs = await at(other, path, lengths.roundMs / 4);
      rounds.push({ directMs, tunnelMs, peerMs, ...memoryOf(tunnel) });
    }
    reportRounds(rounds);
    await measureLargeBodies(tunnel, holder);
  });
}

function memoryOf({ web, client }: TunnelStack) {
  return { webMb: residentMb(web.pid, 'VmRSS'), clientMb: residentMb(client.pid, 'VmRSS') };
}

function reportRounds(rounds: readonly Round[]): void {
  const at = (key: 'directMs' | 'tunnelMs' | 'peerMs', q: number) => rounds.map((round) => quantile(round[key], q));
  const added = (key: 'tunnelMs' | 'peerMs', q: number) =>
    at(key, q).map((ms, round) => ms - (at('directMs', q)[round] ?? Number.NaN));
  for (const q of [0.5, 0.95]) {
    const name = `p${q * 100}`;
    reportFigure(`direct, ${name}`, at('directMs', q), ' ms');
    reportFigure(`through the tunnel, ${name}`, at('tunnelMs', q), ' ms');
    reportFigure(`through the tunnel and another web process, ${name}`, at('peerMs', q), ' ms');
  }
  const requests = rounds.reduce((sum, { tunnelMs }) => sum + tunnelMs.length, 0);
  reportFigure('requests through the tunnel', [requests]);
  checkFigure('added p95', added('tunnelMs', 0.95), { atMost: 30 }, ' ms');
  reportFigure('added p95 by another web process as well', added('peerMs', 0.95), ' ms');
  for (const part of ['webMb', 'clientMb'] as const) {
    reportFigure(
      `resident memory, ${part.replace('Mb', '')}`,
      rounds.map((round) => round[part]),
      ' MB',
    );
    const growth = (rounds.at(-1)?.[part] ?? Number.NaN) - (rounds[0]?.[part] ?? Number.NaN);
    checkValue(`growth after the first round, ${part.replace('Mb', '')}`, growth, { atMost: 32 }, ' MB');
  }
}

/** Sends bodies of 10 MB in one direction and then in the other, and compares memory before and after. */
async function measureLargeBodies(tunnel: TunnelStack, pool: Pool): Promise<void> {
  const body = Buffer.alloc(LARGE_BYTES, 'x');
  const batches = [memoryOf(tunnel)];
  for (let batch = 0; batch < LARGE_BATCHES; batch++) {
    for (let count = 0; count < LARGE_BODIES; count++) {
      const sent = await pool.request({ method: 'POST', path: `${tunnel.prefix}/`, body });
      await sent.body.dump();
      const { statusCode, body: received } = await pool.request({ method: 'GET', path: `${tunnel.prefix}/large` });
      const bytes = (await received.arrayBuffer()).byteLength;
      if (sent.statusCode !== 200 || statusCode !== 200 || bytes !== LARGE_BYTES) throw new Error('a body was lost');
    }
    await sleep(SETTLE_MS);
    batches.push(memoryOf(tunnel));
  }
  for (const part of ['webMb', 'clientMb'] as const) {
    const [before = 0, first = 0, ...later] = batches.map((memory) => memory[part]);
    const name = part.replace('Mb', '');
    checkValue(`growth by ten bodies of 10 MB each way, ${name}`, first - before, { atMost: 64 }, ' MB');
    // The first batch fills the buffers of the runtime, so a leak shows in the later ones.
    checkValue(`growth by forty more, ${name}`, (later.at(-1) ?? 0) - first, { atMost: 16 }, ' MB');
  }
}

type TunnelStack = Awaited<ReturnType<typeof startTunnelStack>>;

/**
 * Starts two web processes, a local server, and a client that connects to the first, each in a process of its own.
 * @returns the origins of the local server, of the web process with the client and of the other one, and the path of the tunnel
 */
async function startTunnelStack(stack: Stack) {
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
