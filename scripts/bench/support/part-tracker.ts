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
