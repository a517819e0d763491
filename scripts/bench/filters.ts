import { rmSync } from 'node:fs';
import { bundleTemporarily } from '@/scripts/start/bundle.mjs';
import { readArguments } from './support/bench-arguments';
import { startChild } from './support/children';
import { checkFigure, median, reportFigure, say } from './support/figures';

const FULL = { warmUps: 10, rounds: 20, colds: 5, shown: 12 };
const QUICK = { warmUps: 5, rounds: 5, colds: 1, shown: 12 };
/** In a new process, only those are run that take longest in a warm one. */
const COLD_PAIRS = 40;

/**
 * What the worst filter costs for an event of 256 KiB: the milliseconds of the thread in a process that has run them all before, and as the
 * first one of a new process. `--only TEXT` selects the pairs whose names contain TEXT.
 */
export async function main(args: string[]): Promise<void> {
  const { isQuick, only } = readArguments(args);
  const { warmUps, rounds, colds, shown } = isQuick ? QUICK : FULL;
  const { file } = await bundleTemporarily('scripts/bench/support/filter-cost.ts');
  try {
    const child = await startChild<string[], number>(file);
    const warm = new Map(child.ready.filter((pair) => pair.includes(only)).map((pair) => [pair, [] as number[]]));
    for (let round = 0; round < warmUps + rounds; round++) {
      for (const [pair, values] of warm) {
        const ms = await child.ask(pair);
        if (round >= warmUps) values.push(ms);
      }
    }
    child.stop();
    const cold = new Map<string, number[]>();
    for (const [pair] of worstFirst(warm).slice(0, COLD_PAIRS)) {
      const values: number[] = [];
      for (let round = 0; round < colds; round++) {
        const fresh = await startChild<string[], number>(file);
        values.push(await fresh.ask(pair));
        fresh.stop();
      }
      cold.set(pair, values);
    }
    report('in a process that has run others', warm, shown, 5);
    report('in a new process', cold, shown, 10);
  } finally {
    rmSync(file, { force: true });
  }
}

const worstFirst = (costs: ReadonlyMap<string, number[]>) => [...costs].sort(([, a], [, b]) => median(b) - median(a));

function report(label: string, costs: ReadonlyMap<string, number[]>, shown: number, atMost: number): void {
  say(`\n${label}, milliseconds`);
  const [worst, ...others] = worstFirst(costs).slice(0, shown);
  if (worst === undefined) return;
  checkFigure(worst[0], worst[1], { atMost });
  for (const [pair, values] of others) reportFigure(pair, values);
}
