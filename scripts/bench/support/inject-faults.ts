import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, prepareCluster } from '@/lib/platform/embedded-postgres/cluster';
import type { RunningServer } from '@/lib/platform/embedded-postgres/server';
import { makeRandom } from '@/scripts/demo/random';
import { Supervisor } from '@/scripts/start/supervisor';
import type { TcpProxy } from '@/tests/http/tcp-proxy';
import { listProcessTree } from './process-cost';

const POLL_MS = 500;

type KillablePart = 'web' | 'worker';

interface TrackedPart {
  pid: number;
  isGone: boolean;
  starts: number;
}

/** Tracks the processes of a running `npm start`. */
export class PartTracker {
  readonly #parts = new Map<string, TrackedPart>();
  readonly #timer: NodeJS.Timeout;
  readonly kills: Record<KillablePart, number> = { web: 0, worker: 0 };

  constructor(private readonly supervisorPid: number) {
    this.#poll();
    this.#timer = setInterval(() => this.#poll(), POLL_MS);
  }

  /** Kills a part. @returns false when it is not running */
  kill(part: KillablePart): boolean {
    this.#poll();
    const tracked = this.#parts.get(part);
    if (tracked === undefined || tracked.isGone) return false;
    process.kill(tracked.pid, 'SIGKILL');
    this.kills[part] += 1;
    return true;
  }

  countRestarts(part: KillablePart): number {
    return (this.#parts.get(part)?.starts ?? 1) - 1;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #poll(): void {
    const pids = new Map<string, number>(listProcessTree(this.supervisorPid).map(({ part, pid }) => [part, pid]));
    for (const [part, tracked] of this.#parts) tracked.isGone ||= pids.get(part) !== tracked.pid;
    for (const [part, pid] of pids) {
      const before = this.#parts.get(part);
      if (before?.pid !== pid) this.#parts.set(part, { pid, isGone: false, starts: (before?.starts ?? 0) + 1 });
    }
  }
}

/** Restarts PostgreSQL half a second after each exit, without a limit. */
const POSTGRES_POLICY = { firstPauseMs: 500, maxPauseMs: 500, quickExits: Number.POSITIVE_INFINITY, steadyMs: 0 };
/** Lost connections stay open at the server for a minute; they must not use up the connection limit. */
const POSTGRES_SETTINGS = { max_connections: '400' };
const STOP_DEADLINE_MS = 10_000;

/** The embedded PostgreSQL of the product, with its durability settings, under a supervisor; it can be killed at any time. */
export class SupervisedPostgres {
  readonly databaseUrl: string;
  readonly #supervisor: Supervisor;
  #server: RunningServer | null = null;

  private constructor(
    cluster: Cluster,
    private readonly dataDir: string,
  ) {
    this.databaseUrl = cluster.databaseUrl;
    this.#supervisor = new Supervisor('PostgreSQL', () => this.#start(cluster), {
      onNotice: () => undefined,
      policy: POSTGRES_POLICY,
    });
  }

  static async start(): Promise<SupervisedPostgres> {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'bench-chaos-'));
    chmodSync(dataDir, 0o711);
    const postgres = new SupervisedPostgres(await prepareCluster({ dataDir, settings: POSTGRES_SETTINGS }), dataDir);
    await postgres.#supervisor.ready;
    return postgres;
  }

  /** Kills the postmaster; its backends then exit. @returns false when it is down */
  killNow(): boolean {
    const pid = this.#server?.pid;
    if (pid === undefined) return false;
    this.#server = null;
    process.kill(pid, 'SIGKILL');
    return true;
  }

  async stop(): Promise<void> {
    await this.#supervisor.stop(STOP_DEADLINE_MS);
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  #start(cluster: Cluster): RunningServer {
    const server = cluster.start();
    void server.ready.then(() => {
      this.#server = server;
    });
    void server.exited.then(() => {
      if (this.#server === server) this.#server = null;
    });
    return server;
  }
}

const HOLD_NEW_MS = 5_000;
/** How long to wait while every process that could be killed is down. */
const RETRY_MS = 200;

export interface Fault {
  kind: FaultKind;
  /** Milliseconds since 1970. */
  at: number;
}

/** What faults act on. */
interface FaultTargets {
  proxy: TcpProxy;
  postgres: SupervisedPostgres;
  parts: PartTracker;
}

/** Injects each planned fault at its time, counted from now, until the signal aborts. Appends what it did to `faults`. */
export async function injectFaults(
  plan: readonly PlannedFault[],
  targets: FaultTargets,
  faults: Fault[],
  signal: AbortSignal,
): Promise<void> {
  const started = performance.now();
  for (const planned of plan) {
    let waitMs = Math.max(0, started + planned.atMs - performance.now());
    for (let kind: FaultKind | undefined; kind === undefined; waitMs = RETRY_MS) {
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const at = performance.timeOrigin + performance.now();
      kind = planned.kinds.find((each) => inject(each, planned.freezeMs, targets));
      if (kind !== undefined) faults.push({ kind, at });
    }
  }
}

/** @returns false when the process to kill is down */
function inject(kind: FaultKind, freezeMs: number, { proxy, postgres, parts }: FaultTargets): boolean {
  switch (kind) {
    case 'kill worker':
      return parts.kill('worker');
    case 'kill web':
      return parts.kill('web');
    case 'kill PostgreSQL':
      return postgres.killNow();
    case 'lose connections':
      proxy.lose();
      return true;
    case 'freeze, and hold new ones':
      proxy.freeze({ andNew: true });
      setTimeout(() => proxy.thaw(), HOLD_NEW_MS).unref();
      return true;
    case 'freeze connections':
      proxy.freeze();
      setTimeout(() => proxy.thaw(), freezeMs).unref();
      return true;
  }
}

/** The kinds of fault with their probability in percent. */
const WEIGHTS = {
  'kill worker': 20,
  'kill web': 20,
  'kill PostgreSQL': 20,
  'freeze connections': 20,
  'lose connections': 10,
  'freeze, and hold new ones': 10,
};

type FaultKind = keyof typeof WEIGHTS;
export const FAULT_KINDS = Object.keys(WEIGHTS) as FaultKind[];

interface PlannedFault {
  /** Milliseconds after the start of the load. */
  atMs: number;
  /** Tried in this order: a process that is down cannot be killed. */
  kinds: FaultKind[];
  freezeMs: number;
}

/** One fault at a random time in each slot of this length: more than 100 in 10 minutes. */
const SLOT_MS = 5_500;
/** Time before the first fault, and after the last one, so that its recovery is measured. */
const HEAD_MS = 10_000;
const TAIL_MS = 20_000;
const SHORTEST_FREEZE_MS = 5_000;
const LONGEST_FREEZE_MS = 20_000;

/**
 * Returns the faults for a load of `ms` milliseconds, of the kinds whose name contains `only`. The same seed gives the same
 * plan; which processes run at the time decides which kind is injected.
 */
export function planFaults(seed: number, ms: number, only: string): PlannedFault[] {
  const random = makeRandom(seed);
  return Array.from({ length: Math.floor((ms - HEAD_MS - TAIL_MS) / SLOT_MS) }, (_, slot) => ({
    atMs: HEAD_MS + (slot + random()) * SLOT_MS,
    kinds: orderByWeight(random).filter((kind) => kind.includes(only)),
    freezeMs: SHORTEST_FREEZE_MS + random() * (LONGEST_FREEZE_MS - SHORTEST_FREEZE_MS),
  }));
}

function orderByWeight(random: () => number): FaultKind[] {
  const keyed = FAULT_KINDS.map((kind) => ({ kind, key: random() ** (1 / WEIGHTS[kind]) }));
  return keyed.sort((a, b) => b.key - a.key).map(({ kind }) => kind);
}
