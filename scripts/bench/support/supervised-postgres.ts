import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Cluster, prepareCluster } from '@/lib/platform/embedded-postgres/cluster';
import type { RunningServer } from '@/lib/platform/embedded-postgres/server';
import { Supervisor } from '@/scripts/start/supervisor';

/** Restarts PostgreSQL half a second after each exit, without a limit. */
const POLICY = { firstPauseMs: 500, maxPauseMs: 500, quickExits: Number.POSITIVE_INFINITY, steadyMs: 0 };
/** Lost connections stay open at the server for a minute; they must not use up the connection limit. */
const SETTINGS = { max_connections: '400' };
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
      policy: POLICY,
    });
  }

  static async start(): Promise<SupervisedPostgres> {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'bench-chaos-'));
    chmodSync(dataDir, 0o711);
    const postgres = new SupervisedPostgres(await prepareCluster({ dataDir, settings: SETTINGS }), dataDir);
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
