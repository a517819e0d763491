import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { prepareCluster } from '@/lib/platform/embedded-postgres/cluster';
import { cpuMsByPart } from './process-cost';

const WARM_UP_MS = 1_000;

/** The cost of known work on this machine, so that runs on different machines can be compared. */
export interface CpuBaseline {
  /** Returns the CPU of one committed INSERT, client and PostgreSQL together, in milliseconds. */
  measure(perSecond: number, ms: number): Promise<number>;
  stop(): Promise<void>;
}

/** Uses a separate PostgreSQL with the product's settings, so that none of the product's work counts. */
export async function startCpuBaseline(): Promise<CpuBaseline> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'bench-baseline-'));
  chmodSync(dataDir, 0o711);
  const cluster = await prepareCluster({ dataDir });
  const server = cluster.start();
  await Promise.race([server.ready, server.exited.then(({ lastLine }) => Promise.reject(new Error(lastLine)))]);
  const client = fork('scripts/bench/support/paced-inserter.mjs', [cluster.databaseUrl]);
  await once(client, 'message');
  const insert = async (perSecond: number, ms: number) => {
    const answered = once(client, 'message');
    client.send({ perSecond, ms });
    return (await answered)[0] as { operations: number; cpuMs: number };
  };
  return {
    async measure(perSecond, ms) {
      await insert(perSecond, WARM_UP_MS);
      const before = cpuMsByPart(server.pid ?? 0).postgres;
      const { operations, cpuMs } = await insert(perSecond, ms);
      return (cpuMs + cpuMsByPart(server.pid ?? 0).postgres - before) / operations;
    },
    async stop() {
      client.kill('SIGKILL');
      server.stop();
      await server.exited;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
