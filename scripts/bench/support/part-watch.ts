import { listFamily } from './process-family';

const POLL_MS = 500;

export type KillablePart = 'web' | 'worker';

interface Life {
  pid: number;
  isGone: boolean;
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

  /** Kills a part. @returns false when it is not running */
  kill(part: KillablePart): boolean {
    this.#look();
    const life = this.#lives.get(part);
    if (life === undefined || life.isGone) return false;
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
    const pids = new Map<string, number>(listFamily(this.supervisorPid).map(({ part, pid }) => [part, pid]));
    for (const [part, life] of this.#lives) life.isGone ||= pids.get(part) !== life.pid;
    for (const [part, pid] of pids) {
      const before = this.#lives.get(part);
      if (before?.pid !== pid) this.#lives.set(part, { pid, isGone: false, starts: (before?.starts ?? 0) + 1 });
    }
  }
}
