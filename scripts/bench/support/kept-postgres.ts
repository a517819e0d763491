import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Cluster, prepareCluster } from '@/lib/platform/embedded-postgres/cluster';
import type { RunningServer } from '@/lib/platform/embedded-postgres/server';
import { Supervisor } from '@/scripts/start/supervisor';

/** Restarts it half a second after each death, for ever. */
const POLICY = { firstPauseMs: 500, maxPauseMs: 500, quickDeaths: Number.POSITIVE_INFINITY, steadyMs: 0 };
/** Lost connections stay at the server for a minute: they must not use up those of the living. */
const SETTINGS = { max_connections: '400' };
const STOP_DEADLINE_MS = 10_000;

/** A PostgreSQL of the product's own kind, durability included, that may be killed at any moment. */
export class KeptPostgres {
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

  static async start(): Promise<KeptPostgres> {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'bench-chaos-'));
    chmodSync(dataDir, 0o711);
    const postgres = new KeptPostgres(await prepareCluster({ dataDir, settings: SETTINGS }), dataDir);
    await postgres.#supervisor.ready;
    return postgres;
  }

  /** Kills the postmaster, whose backends then end by themselves. @returns false when it is not up */
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
