import { parseArgs } from 'node:util';

interface BenchArguments {
  /** A shorter run for development; its figures are not reliable. */
  isQuick: boolean;
  /** For `chaos`: the length of the load, the seed of its random faults, and a text that the names of its faults contain. */
  minutes: number | null;
  seed: number | null;
  only: string;
}

/** @throws TypeError for an unknown option or an invalid number */
export function readArguments(args: string[]): BenchArguments {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean' },
      minutes: { type: 'string' },
      seed: { type: 'string' },
      only: { type: 'string' },
    },
  });
  return {
    isQuick: values.quick === true,
    minutes: toNumber(values.minutes),
    seed: toNumber(values.seed),
    only: values.only ?? '',
  };
}

/** Reads `--rows`, a share of the volume of data; by default 1. */
export function readShare(args: string[]): number {
  const { values } = parseArgs({ args, options: { rows: { type: 'string', default: '1' } } });
  const share = Number(values.rows);
  if (!(share > 0 && share <= 10)) throw new TypeError('--rows must be a share of the volume, such as 0.1');
  return share;
}

function toNumber(text: string | undefined): number | null {
  if (text === undefined) return null;
  const number = Number(text);
  if (!(number > 0)) throw new TypeError(`"${text}" is not a positive number`);
  return number;
}
