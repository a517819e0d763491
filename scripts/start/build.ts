import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { waitForLock } from '@/lib/platform/process-lock.mjs';
import { bundleEntries } from './bundle.mjs';
import { say, step } from './progress.mjs';
import { runTool } from './run-tool.mjs';

/** Generated from other inputs, or not part of the build. */
const LEFT_OUT = /\.test\.tsx?$|prisma[\\/]generated$/;

/** A set of files built from sources, and rebuilt when the sources change. */
export interface BuildTarget {
  name: string;
  doing: string;
  /** Files and folders, relative to the root; a change of any makes the target stale. */
  inputs: string[];
  /** A file that the build writes: while it is missing, the target is stale whatever the stamp says. */
  output: string;
  make(signal: AbortSignal): Promise<string>;
}

const CLIENT: BuildTarget = {
  name: 'client',
  doing: 'Generating the Prisma client',
  inputs: ['prisma/schema.prisma', 'prisma.config.ts', 'package-lock.json'],
  output: 'lib/platform/prisma/generated/client.ts',
  async make(signal) {
    // Generating needs no schema engine, but Prisma downloads one unless it has a path; any program satisfies it.
    const env = {
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      CHECKPOINT_DISABLE: '1',
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
    };
    await runTool('prisma generate', process.execPath, ['node_modules/prisma/build/index.js', 'generate'], {
      env,
      signal,
    });
    return 'Prisma client generated';
  },
};

const ENTRIES: BuildTarget = {
  name: 'entries',
  doing: 'Bundling the processes',
  inputs: ['scripts', 'lib', 'prisma/schema.prisma', 'tsconfig.json', 'package-lock.json'],
  output: '.build/web.mjs',
  async make() {
    await bundleEntries(listEntries());
    return 'Processes bundled';
  },
};

const OPENAPI: BuildTarget = {
  name: 'openapi',
  doing: 'Describing the API',
  inputs: ['lib', 'scripts/openapi.ts', 'package.json'],
  output: '.build/openapi.json',
  async make(signal) {
    await runTool('openapi', process.execPath, ['.build/openapi.mjs'], { signal });
    return 'API described';
  },
};

const PACKAGE: BuildTarget = {
  name: 'package',
  doing: 'Packing the client library and the command line',
  inputs: ['lib', 'scripts', 'tsconfig.json', 'package.json', 'package-lock.json'],
  output: '.build/eds.tgz',
  async make(signal) {
    await runTool('package', process.execPath, ['.build/package.mjs'], { signal });
    return 'Client library and command line packed';
  },
};

const DASHBOARD: BuildTarget = {
  name: 'dashboard',
  doing: 'Building the dashboard (the first time about a minute)',
  inputs: [
    'app',
    'components',
    'lib',
    'public',
    'proxy.ts',
    'instrumentation.ts',
    'next.config.mjs',
    'postcss.config.mjs',
    // Its pages of the documentation are rendered from these.
    'docs/guides',
    '.build/openapi.json',
    'prisma/schema.prisma',
    'tsconfig.json',
    'package-lock.json',
  ],
  output: '.next/BUILD_ID',
  async make(signal) {
    const env = { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' };
    await runTool('next build', process.execPath, ['node_modules/next/dist/bin/next', 'build'], { env, signal });
    await compressFiles('.next/static');
    return 'Dashboard built';
  },
};

/** What a script needs before it is bundled, if it uses the database. */
export const DATABASE_CLIENT: BuildTarget[] = [CLIENT];
/** What the processes without pages need; each target needs those before it. */
export const PROCESSES: BuildTarget[] = [CLIENT, ENTRIES, OPENAPI, PACKAGE];
export const PAGES: BuildTarget[] = [CLIENT, DASHBOARD];

/** Every script directly in scripts/ is the entry of a process. The start scripts are bundled for read-only trees. */
function listEntries(): string[] {
  const names = fs.readdirSync('scripts').filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  return ['start/main.ts', 'start/setup-steps.ts', ...names].map((name) => path.join('scripts', name));
}

/**
 * Builds the targets whose sources have changed since the last build. Builds run one at a time; a second process waits and
 * then finds the targets up to date. The stamp is written last, so a failed or interrupted build is repeated.
 */
export async function buildStale(targets: BuildTarget[], signal: AbortSignal): Promise<void> {
  if (!targets.some(isStale)) return;
  fs.mkdirSync('.build', { recursive: true });
  const lock = await waitForLock('.build/build.lock', () => say('  … waiting for another build to end'));
  try {
    for (const target of targets) if (isStale(target)) await step(target.doing, () => build(target, signal));
  } finally {
    lock.release();
  }
}

/** Whether the output is missing or was built from other sources. */
export function isStale({ name, inputs, output }: BuildTarget): boolean {
  if (!fs.existsSync(output)) return true;
  const stamp = stampOf(name);
  return !fs.existsSync(stamp) || fs.readFileSync(stamp, 'utf8') !== hashInputs(inputs);
}

/** Hashes the sources before the build: a source that changes during the build makes the target stale again. */
async function build(target: BuildTarget, signal: AbortSignal): Promise<string> {
  const hash = hashInputs(target.inputs);
  fs.rmSync(stampOf(target.name), { force: true });
  const done = await target.make(signal);
  fs.writeFileSync(stampOf(target.name), hash);
  return done;
}

function stampOf(name: string): string {
  return path.join('.build', `${name}.stamp`);
}

/** Hashes the names and contents of files and folders; a missing file changes the hash too. */
function hashInputs(inputs: string[]): string {
  const hash = createHash('sha256');
  for (const file of inputs.flatMap(listFiles)) {
    const content = fs.readFileSync(file);
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function listFiles(file: string): string[] {
  if (LEFT_OUT.test(file)) return [];
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if (!stat.isDirectory()) return [file];
  return fs
    .readdirSync(file)
    .sort()
    .flatMap((name) => listFiles(path.join(file, name)));
}

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Writes compressed copies of each script and style sheet of a folder beside it: `<file>.br` and `<file>.gz`. */
export async function compressFiles(folder: string): Promise<void> {
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => /\.(?:js|css)$/.test(name)).map((name) => path.join(folder, name));
  // The threads of Node limit how many run at a time.
  await Promise.all(
    files.map(async (file) => {
      const content = await fs.promises.readFile(file);
      const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
      await fs.promises.writeFile(`${file}.br`, await brotli(content, { params }));
      await fs.promises.writeFile(`${file}.gz`, await gzipped(content, { level: constants.Z_BEST_COMPRESSION }));
    }),
  );
}
