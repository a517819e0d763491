import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest';
import { EDS_OPTIONS } from '@/scripts/start/bundle.mjs';

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
  /** Runs a command to its end. */
  run(args: string[], options?: RunOptions): Promise<Ended>;
  /** Starts a command; it is killed at the end of the test. */
  start(args: string[], options?: RunOptions): Running;
}

/** Runs the real `eds`, bundled as users get it, as a process of its own. @param url of the server that it talks to */
export function useEds(url: () => string): Eds {
  let folder = '';
  let bundle = '';
  let bundleFolder = '';
  beforeAll(async () => {
    bundleFolder = mkdtempSync(path.join(os.tmpdir(), 'eds-bundle-'));
    chmodSync(bundleFolder, 0o755);
    bundle = path.join(bundleFolder, 'eds.mjs');
    await build({ ...EDS_OPTIONS, entryPoints: ['scripts/eds.ts'], outfile: bundle });
  });
  afterAll(() => rmSync(bundleFolder, { recursive: true, force: true }));
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'eds-home-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  });

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
        HOME: folder,
        EDS_CONFIG_DIR: folder,
        EDS_API_URL: url(),
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
    get bundle() {
      return bundle;
    },
    start,
    run: (args, options) => start(args, options).ended,
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
