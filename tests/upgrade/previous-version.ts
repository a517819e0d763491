import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { onTestFinished } from 'vitest';
import { readMigrations } from '@/lib/platform/migrate/migrations';
import { copyWithExample } from '@/tests/database/example-migration';

/** The code of the commit before the newest migration, with its processes bundled. */
export interface PreviousVersion {
  /** Absolute path of its tree, below this one, where Node finds the packages. */
  folder: string;
  web: string;
  worker: string;
  /** The folder of the migrations that are applied while it runs. */
  newMigrations: string;
  remove(): void;
}

const ENTRIES = { web: 'tests/tunnel/tunnel-process.ts', worker: 'scripts/worker.ts' };
/** What the processes are made of. The dashboard takes a minute to build, and does not reach the database by itself. */
const NEEDED = ['lib', 'scripts', 'tests', 'prisma', 'prisma.config.ts', 'package.json', 'tsconfig.json'];

/**
 * Extracts the version before the newest migration from the history of git, and builds its worker and its web process without
 * pages, with the installed packages. Before a new migration is committed, that version is the last commit. While there is only the
 * initial migration, it is the last commit too, and an example of a migration is applied.
 *
 * @throws Error when the history does not reach back so far
 */
export async function buildPreviousVersion(): Promise<PreviousVersion> {
  const folder = path.resolve('.build', `previous-${process.pid}`);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  remove();
  mkdirSync(folder, { recursive: true });
  const archive = run('git', ['archive', '--format=tar', findCommit(), ...NEEDED]);
  run('tar', ['-x', '-C', folder], { input: archive });
  run(process.execPath, [path.resolve('node_modules/prisma/build/index.js'), 'generate'], {
    cwd: folder,
    // Generating needs no schema engine, but Prisma downloads one unless it has a path.
    env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' },
  });
  await build({
    entryPoints: ENTRIES,
    absWorkingDir: folder,
    outdir: path.join(folder, 'bundles'),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'silent',
  });
  const bundle = (name: string) => path.join(folder, 'bundles', `${name}.mjs`);
  return { folder, web: bundle('web'), worker: bundle('worker'), newMigrations: newMigrations(folder), remove };
}

const MIGRATIONS = 'prisma/migrations';
const isInitialOnly = () => readMigrations(MIGRATIONS).length === 1;

function newMigrations(folder: string): string {
  return isInitialOnly() ? copyWithExample(path.join(folder, 'new-migrations')) : path.resolve(MIGRATIONS);
}

/** Returns the parent of the commit that added the newest migration. */
function findCommit(): string {
  if (isInitialOnly()) return 'HEAD';
  const newest = readMigrations(MIGRATIONS).at(-1)?.name;
  const file = `${MIGRATIONS}/${newest}/migration.sql`;
  const added = git('log', '-1', '--diff-filter=A', '--format=%H', '--', file);
  if (added === '') return 'HEAD';
  try {
    return git('rev-parse', '--verify', `${added}^`);
  } catch {
    throw new Error('The upgrade test needs the history of git: clone without --depth, or run git fetch --unshallow.');
  }
}

function git(...args: string[]): string {
  return run('git', args).toString('utf8').trim();
}

function run(command: string, args: string[], options: object = {}): Buffer {
  return execFileSync(command, args, { maxBuffer: 256 * 1024 * 1024, stdio: ['pipe', 'pipe', 'pipe'], ...options });
}

export interface PreviousProcess {
  /** The lines that it logged as an error, and what it wrote beside the log. */
  faults(): string[];
  stop(): Promise<void>;
}

const ERROR_LEVEL = 50;

/** Starts a process of the previous version and waits until it is ready. It is killed after the test. */
export async function startPrevious(
  { folder }: PreviousVersion,
  file: string,
  environment: Record<string, string>,
): Promise<PreviousProcess> {
  const child = spawn(process.execPath, [file], {
    cwd: folder,
    env: { ...process.env, ...environment } as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The previous version ended with ${code}:\n${output}`);
  });
  ended.catch(() => undefined);
  await Promise.race([once(child, 'message'), ended]);
  return {
    faults: () => output.split('\n').filter((line) => line !== '' && !isBelowError(line)),
    stop: async () => {
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      await exit;
    },
  };
}

function isBelowError(line: string): boolean {
  try {
    return (JSON.parse(line) as { level: number }).level < ERROR_LEVEL;
  } catch {
    return false;
  }
}
