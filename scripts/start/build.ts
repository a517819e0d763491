import fs from 'node:fs';
import path from 'node:path';
import { bundleEntries } from './bundle.mjs';
import { hashInputs } from './hash-inputs';
import { waitForLock } from './lock.mjs';
import { say, step } from './progress.mjs';
import { runTool } from './run-tool.mjs';

/** Something made from sources, and remade when they have changed. */
export interface Product {
  name: string;
  doing: string;
  /** Files and folders, from the root, of which a change calls for making it again. */
  inputs: string[];
  /** A file it makes: without it the product is missing whatever the stamp says. */
  output: string;
  make(signal: AbortSignal): Promise<string>;
}

const CLIENT: Product = {
  name: 'client',
  doing: 'Generating the Prisma client',
  inputs: ['prisma/schema.prisma', 'prisma.config.ts', 'package-lock.json'],
  output: 'lib/platform/prisma/generated/client.ts',
  async make(signal) {
    // Generating needs no schema engine, but Prisma downloads one unless told where it is; any program will do.
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

const ENTRIES: Product = {
  name: 'entries',
  doing: 'Bundling the processes',
  inputs: ['scripts', 'lib', 'prisma/schema.prisma', 'tsconfig.json', 'package-lock.json'],
  output: '.build/web.mjs',
  async make() {
    await bundleEntries(listEntries());
    return 'Processes bundled';
  },
};

const DASHBOARD: Product = {
  name: 'dashboard',
  doing: 'Building the dashboard (the first time about a minute)',
  inputs: [
    ...[
      'app',
      'components',
      'lib',
      'public',
      'proxy.ts',
      'instrumentation.ts',
      'next.config.mjs',
      'postcss.config.mjs',
    ],
    ...['prisma/schema.prisma', 'tsconfig.json', 'package-lock.json'],
  ],
  output: '.next/BUILD_ID',
  async make(signal) {
    const env = { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' };
    await runTool('next build', process.execPath, ['node_modules/next/dist/bin/next', 'build'], { env, signal });
    return 'Dashboard built';
  },
};

/** What the processes without pages need, in the order in which one needs the other. */
export const PROCESSES: Product[] = [CLIENT, ENTRIES];
export const PAGES: Product[] = [CLIENT, DASHBOARD];

/** Every script directly in scripts/ is the entry of a process. The start's own are for where nothing may be written. */
function listEntries(): string[] {
  const names = fs.readdirSync('scripts').filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  return ['start/main.ts', 'start/setup-steps.ts', ...names].map((name) => path.join('scripts', name));
}

/**
 * Makes those products whose sources have changed since. One process at a time; a second one waits, and then finds the work
 * done. The stamp is written last, so that a failed or interrupted build is begun again.
 */
export async function buildStale(products: Product[], signal: AbortSignal): Promise<void> {
  if (!products.some(isStale)) return;
  fs.mkdirSync('.build', { recursive: true });
  const lock = await waitForLock('.build/build.lock', () => say('  … waiting: another build is under way'));
  try {
    for (const product of products) if (isStale(product)) await step(product.doing, () => build(product, signal));
  } finally {
    lock.release();
  }
}

/** Whether the product is missing or its sources differ from those it was made from. */
export function isStale({ name, inputs, output }: Product): boolean {
  if (!fs.existsSync(output)) return true;
  const stamp = stampOf(name);
  return !fs.existsSync(stamp) || fs.readFileSync(stamp, 'utf8') !== hashInputs(inputs);
}

/** The hash is taken before the work: a source that changes meanwhile makes the product stale again. */
async function build(product: Product, signal: AbortSignal): Promise<string> {
  const hash = hashInputs(product.inputs);
  fs.rmSync(stampOf(product.name), { force: true });
  const done = await product.make(signal);
  fs.writeFileSync(stampOf(product.name), hash);
  return done;
}

function stampOf(name: string): string {
  return path.join('.build', `${name}.stamp`);
}
