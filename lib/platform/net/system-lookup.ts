import { type ChildProcess, spawn } from 'node:child_process';
import type { LookupAddress } from 'node:dns';
import { SECOND_MS } from '@/lib/platform/clock';
import { resolverVariables } from '@/lib/platform/config/config';
import { ExchangeError, LOOKUP_TIMEOUT_MS, MAX_ADDRESSES } from './failure-reason';

/**
 * How many lookups run at once. More wait in the process. A tenant has two at most, so this is how many tenants with silent name servers it
 * takes to delay others. Its threads take some 3 MB.
 */
export const SYSTEM_LOOKUPS = 128;

/** For how long no process is started after one that could not be: a start takes milliseconds, and each lookup would try one. */
const RESTART_MS = SECOND_MS;

/** Answers with one address more than a name may have, which shows that there are too many. */
const SCRIPT = `
const { lookup } = require('node:dns');
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('message', ({ id, hostname }) => {
  lookup(hostname, { all: true, order: 'ipv4first' }, (fault, found) => {
    process.send({ id, code: fault?.code, found: found?.slice(0, ${MAX_ADDRESSES + 1}) });
  });
});
`;

interface Answer {
  id: number;
  code?: string;
  found?: LookupAddress[];
}

interface Options {
  /** What the process runs. */
  script?: string;
  deadlineMs?: number;
}

/**
 * Asks the operating system for the addresses of names, in a process of its own. Nothing else ends getaddrinfo: it reads from a name server
 * over TCP for as long as that keeps the connection open. After a lookup that takes too long, further ones get another process, and the old
 * one is killed with its last lookup. So there are two processes at most.
 */
export class SystemLookups {
  private current: LookupProcess | null = null;
  /** No process is started before this time of performance.now(). */
  private startsAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: Options = {}) {}

  /** @returns at most MAX_ADDRESSES + 1 @throws an error with a DNS code, ExchangeError when it took too long */
  async lookUp(hostname: string): Promise<LookupAddress[]> {
    this.current ??= this.start();
    return this.current.lookUp(hostname);
  }

  private start(): LookupProcess {
    if (performance.now() < this.startsAt) throw dnsError('EAI_AGAIN');
    const rest = () => {
      this.startsAt = performance.now() + RESTART_MS;
    };
    try {
      return new LookupProcess(this.options, (retired, hasStarted) => {
        if (this.current === retired) this.current = null;
        if (!hasStarted) rest();
      });
    } catch {
      rest();
      throw dnsError('EAI_AGAIN');
    }
  }
}

interface Waiting {
  resolve(found: LookupAddress[]): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
}

class LookupProcess {
  private readonly child: ChildProcess;
  private readonly waiting = new Map<number, Waiting>();
  private readonly deadlineMs: number;
  private lastId = 0;
  private isRetired = false;
  private hasAnswered = false;

  constructor(
    { script = SCRIPT, deadlineMs = LOOKUP_TIMEOUT_MS }: Options,
    private readonly onRetired: (self: LookupProcess, hasStarted: boolean) => void,
  ) {
    this.deadlineMs = deadlineMs;
    this.child = spawn(process.execPath, ['-e', script], {
      // A signal to the group, such as Ctrl+C, must not end lookups of what still drains.
      detached: true,
      windowsHide: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // libuv runs getaddrinfo on half of its threads.
      env: { ...resolverVariables(), UV_THREADPOOL_SIZE: String(2 * SYSTEM_LOOKUPS) },
    });
    this.child.unref();
    this.child.channel?.unref();
    this.child.on('message', ({ id, code, found = [] }: Answer) => {
      this.hasAnswered = true;
      this.settle(id, (waiting) => (code === undefined ? waiting.resolve(found) : waiting.reject(dnsError(code))));
    });
    this.child.on('error', () => this.end());
    this.child.on('exit', () => this.end());
  }

  lookUp(hostname: string): Promise<LookupAddress[]> {
    this.lastId += 1;
    const id = this.lastId;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.retire(true);
        this.settle(id, (waiting) => waiting.reject(new ExchangeError('LOOKUP_TIMEOUT')));
      }, this.deadlineMs);
      this.waiting.set(id, { resolve, reject, timer });
      if (this.child.connected) this.child.send({ id, hostname }, (error) => error && this.end());
      else this.end();
    });
  }

  private settle(id: number, answer: (waiting: Waiting) => void): void {
    const waiting = this.waiting.get(id);
    if (waiting === undefined) return;
    this.waiting.delete(id);
    clearTimeout(waiting.timer);
    answer(waiting);
    if (this.isRetired && this.waiting.size === 0) this.child.kill('SIGKILL');
  }

  private retire(hasStarted: boolean): void {
    if (this.isRetired) return;
    this.isRetired = true;
    this.onRetired(this, hasStarted);
  }

  /** The process is gone, or cannot be started. */
  private end(): void {
    this.retire(this.hasAnswered);
    for (const id of [...this.waiting.keys()]) this.settle(id, ({ reject }) => reject(dnsError('EAI_AGAIN')));
  }
}

const dnsError = (code: string) => Object.assign(new Error(`system lookup failed: ${code}`), { code });
