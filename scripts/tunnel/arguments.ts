import { parseArgs } from 'node:util';
import { readTarget } from './target';

export interface TunnelArguments {
  target: URL;
  takeover: boolean;
  /** Null for the tunnel of this machine. */
  tunnelId: string | null;
}

/** Reads the arguments of `npm run tunnel`. @returns null when they make no sense */
export function readArguments(args: string[]): TunnelArguments | null {
  try {
    const options = { takeover: { type: 'boolean', default: false }, tunnel: { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const target = readTarget(positionals[0]);
    if (target === null || positionals.length > 1) return null;
    return { target, takeover: values.takeover, tunnelId: values.tunnel ?? null };
  } catch {
    return null;
  }
}
