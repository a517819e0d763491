import { listFamily } from './process-family';

const POLL_MS = 500;
/** `npm start` gives a part up at the fifth death in a row that comes within a minute of a start. */
const [STEADY_MS, QUICK_DEATHS_ALLOWED] = [61_000, 3];

export type KillablePart = 'web' | 'worker';

interface Life {
  pid: number;
  since: number;
  goneAt: number | null;
  /** Deaths in a row, each soon after a start, as the supervisor counts them. */
  quickDeaths: number;
  starts: number;
}

/** Follows the processes of a running `npm start`. */
export class PartWatch {
  readonly #lives = new Map<string, Life>();
  readonly #timer: NodeJS.Timeout;
  readonly kills: Record<KillablePart, number> = { web: 0, worker: 0 };

  constructor(private readonly supervisorPid: number) {
    this.#look();
    this.#timer = setInterval(() => this.#look(), POLL_MS);
  }

  /** Kills a part. @returns false when it is not running, or when the supervisor might give it up for one more death */
  kill(part: KillablePart): boolean {
    this.#look();
    const life = this.#lives.get(part);
    if (life === undefined || life.goneAt !== null) return false;
    const isSteady = performance.now() - life.since >= STEADY_MS;
    if (!isSteady && life.quickDeaths >= QUICK_DEATHS_ALLOWED) return false;
    process.kill(life.pid, 'SIGKILL');
    this.kills[part] += 1;
    return true;
  }

  restartsOf(part: KillablePart): number {
    return (this.#lives.get(part)?.starts ?? 1) - 1;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = performance.now();
    const pids = new Map<string, number>(listFamily(this.supervisorPid).map(({ part, pid }) => [part, pid]));
    for (const [part, life] of this.#lives) if (pids.get(part) !== life.pid) life.goneAt ??= now;
    for (const [part, pid] of pids) {
      const before = this.#lives.get(part);
      if (before?.pid === pid) continue;
      const livedMs = before === undefined ? 0 : (before.goneAt ?? now) - before.since;
      const deaths = before === undefined ? 0 : livedMs >= STEADY_MS ? 1 : before.quickDeaths + 1;
      this.#lives.set(part, { pid, since: now, goneAt: null, quickDeaths: deaths, starts: (before?.starts ?? 0) + 1 });
    }
  }
}
