import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { buildStale, PROCESSES } from '@/scripts/start/build';
import { runNode } from '@/scripts/test/run-node';

const MAX_SEED = 2 ** 31 - 1;
const MAX_VARIATIONS = 20_000;
const TESTS = 'tests/fuzz/fuzz.db.test.ts';

/** Runs the fuzz tests with the given seed and number of variations, and exits with their code. */
export async function main(args: string[]): Promise<void> {
  const environment = readOptions(args);
  if (environment === null) {
    process.stderr.write('usage: npm run fuzz -- [--seed N] [--variations N] [--only TEXT] [--index N]\n');
    process.exit(1);
  }
  console.log(`Fuzzing with --seed ${environment.FUZZ_SEED} --variations ${environment.FUZZ_VARIATIONS}`);
  // Types and client of Prisma.
  await buildStale(PROCESSES, new AbortController().signal);
  const code = await runNode(['node_modules/vitest/vitest.mjs', 'run', '--reporter=verbose', TESTS], environment);
  process.exit(code);
}

/** The environment that the tests read; null for options that make no sense. */
function readOptions(args: string[]): Record<string, string> | null {
  try {
    const option = { type: 'string' } as const;
    const options = { seed: option, variations: option, only: option, index: option };
    const { seed, variations, only, index } = parseArgs({ args, options }).values;
    return {
      FUZZ_SEED: String(wholeNumber(seed ?? String(randomInt(MAX_SEED)), 0, MAX_SEED)),
      FUZZ_VARIATIONS: String(wholeNumber(variations ?? '1000', 1, MAX_VARIATIONS)),
      ...(only === undefined ? {} : { FUZZ_ONLY: only }),
      ...(index === undefined ? {} : { FUZZ_INDEX: String(wholeNumber(index, 0, MAX_VARIATIONS)) }),
    };
  } catch {
    return null;
  }
}

function wholeNumber(text: string, min: number, max: number): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < min || number > max) throw new Error(`not from ${min} to ${max}: ${text}`);
  return number;
}
