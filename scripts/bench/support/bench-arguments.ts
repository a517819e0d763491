import { parseArgs } from 'node:util';

export interface BenchArguments {
  /** A shorter version, for developing: its figures mean little. */
  isQuick: boolean;
  /** For `chaos`: how long the load lasts, what its random faults grow from, and a text that each kind must contain. */
  minutes: number | null;
  seed: number | null;
  only: string;
}

/** @throws TypeError for an option that is unknown, or lacks its number */
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

function toNumber(text: string | undefined): number | null {
  if (text === undefined) return null;
  const number = Number(text);
  if (!(number > 0)) throw new TypeError(`"${text}" is not a number above 0`);
  return number;
}
