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

function toNumber(text: string | undefined): number | null {
  if (text === undefined) return null;
  const number = Number(text);
  if (!(number > 0)) throw new TypeError(`"${text}" is not a positive number`);
  return number;
}
