import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, inject, onTestFinished } from 'vitest';
import { runCommandLine } from '@/lib/cli/main';
import type { TextStream } from '@/lib/cli/terminal';

type Tty = 'stdin' | 'stdout' | 'stderr';

export interface RunOptions {
  /** Replaces variables; undefined removes one. */
  env?: Record<string, string | undefined>;
  /** Standard input; without it, it is empty. */
  stdin?: string;
  /** Standard input is a pipe that the test writes to and closes. */
  keepsStdinOpen?: boolean;
  /** The streams that say that they are a terminal. */
  tty?: Tty[];
  columns?: number;
  /** Keeps every byte of the output as one character. */
  raw?: boolean;
  /** Runs it as a user who must obey the modes of files, also where the tests run as root. */
  isUnprivileged?: boolean;
}

/** How a command ended. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A command that runs. */
export interface Running {
  child: ChildProcess;
  readonly stdout: string;
  readonly stderr: string;
  ended: Promise<Ended>;
  /** Resolves when standard output or error contains the text. */
  waitFor(text: string | RegExp): Promise<RegExpExecArray>;
}

export interface Eds {
  /** Its configuration: a fresh folder for each test. */
  readonly folder: string;
  /** The bundle, for tests that start it another way. */
  readonly bundle: string;
  /**
   * Runs a command to its end: in this process, which takes a tenth of the time, unless an option needs one of its own.
   * Relative paths are then not below its folder.
   */
  run(args: string[], options?: RunOptions): Promise<Ended>;
  /** Starts a command as a process of its own in its folder; it is killed at the end of the test. */
  start(args: string[], options?: RunOptions): Running;
}

/** Runs the real `eds`, bundled as users get it, as a process of its own. @param url of the server that it talks to */
export function useEds(url: () => string): Eds {
  const bundle = inject('edsBundle');
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'eds-home-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  });

  const variables = () => ({ HOME: folder, EDS_CONFIG_DIR: folder, EDS_API_URL: url() });
  const start = (args: string[], options: RunOptions = {}): Running => {
    const {
      env,
      stdin,
      tty = [],
      columns = 100,
      raw = false,
      isUnprivileged = false,
      keepsStdinOpen = false,
    } = options;
    const preloads = ['fake-terminal.mjs', ...(isUnprivileged ? ['drop-root.mjs'] : [])];
    const imports = preloads.flatMap((name) => ['--import', path.resolve('tests/cli', name)]);
    const child = spawn(process.execPath, [...imports, bundle, ...args], {
      cwd: folder,
      env: {
        NODE_ENV: 'production',
        PATH: process.env.PATH,
        ...variables(),
        EDS_TEST_TTY: tty.join(','),
        EDS_TEST_COLUMNS: String(columns),
        ...env,
      },
    });
    const running = follow(child, raw ? 'latin1' : 'utf8');
    child.stdin?.on('error', () => undefined);
    const isOpen = stdin === undefined && (keepsStdinOpen || tty.includes('stdin'));
    if (!isOpen) child.stdin?.end(stdin ?? '');
    onTestFinished(() => void child.kill('SIGKILL'));
    return running;
  };
  return {
    get folder() {
      return folder;
    },
    bundle,
    start,
    run: (args, options = {}) => {
      const { raw, isUnprivileged, keepsStdinOpen, tty, env } = options;
      const needsProcess = raw || isUnprivileged || keepsStdinOpen || tty?.includes('stdin') || env?.PATH !== undefined;
      if (needsProcess) return start(args, options).ended;
      return runHere(args, { ...options, env: { ...variables(), ...env } });
    },
  };
}

async function runHere(args: string[], { env, stdin = '', tty = [], columns = 100 }: RunOptions): Promise<Ended> {
  const stdout = collect(tty.includes('stdout'), columns);
  const stderr = collect(tty.includes('stderr'), columns);
  const input = Object.assign(Readable.from(stdin === '' ? [] : [Buffer.from(stdin)], { objectMode: false }), {
    isTTY: false,
  }) as unknown as NodeJS.ReadStream;
  const terminal = {
    stdout,
    stderr,
    stdin: input,
    env: { NODE_ENV: 'production' as const, ...env },
    platform: process.platform,
    hostName: os.hostname(),
  };
  const code = await runCommandLine(args, terminal, new AbortController().signal);
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

function collect(isTTY: boolean, columns: number): TextStream & { text(): string } {
  const chunks: Uint8Array[] = [];
  return {
    write: (chunk) => void chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk),
    flush: async () => undefined,
    isTTY,
    columns,
    text: () => Buffer.concat(chunks).toString(),
  };
}

function follow(child: ChildProcess, encoding: BufferEncoding): Running {
  const texts = { stdout: '', stderr: '' };
  const watchers = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding(encoding).on('data', (chunk: string) => {
      texts[name] += chunk;
      for (const watcher of watchers) watcher();
    });
  }
  const ended = once(child, 'close').then(([code]) => ({ code, ...texts }));
  return {
    child,
    ended,
    get stdout() {
      return texts.stdout;
    },
    get stderr() {
      return texts.stderr;
    },
    waitFor: (text) =>
      new Promise((resolve, reject) => {
        const pattern = typeof text === 'string' ? new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')) : text;
        const look = () => {
          const found = pattern.exec(texts.stdout) ?? pattern.exec(texts.stderr);
          if (found === null) return;
          watchers.delete(look);
          resolve(found);
        };
        watchers.add(look);
        look();
        void ended.then((end) => reject(new Error(`eds ended before it wrote ${text}: ${JSON.stringify(end)}`)));
      }),
  };
}
