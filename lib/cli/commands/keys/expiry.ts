import { usageError } from '@/lib/cli/input/usage-error';
import { duration, text } from '@/lib/cli/options';

/** The options of a key that expires. */
export const EXPIRY = {
  expiresIn: duration('--expires-in <duration>', 'the key expires after this time, such as `90d`'),
  expiresAt: text('--expires-at <time>', 'the key expires at this RFC 3339 time, or at the end of this day (UTC)'),
};

/** Returns the `expiresAt` of a key; undefined when it never expires. @throws CliError when both options are given */
export function expiryOf(options: {
  expiresIn: number | undefined;
  expiresAt: string | undefined;
}): string | undefined {
  const { expiresIn, expiresAt } = options;
  if (expiresIn === undefined) return expiresAt;
  if (expiresAt !== undefined) throw usageError('Give --expires-in or --expires-at, not both.');
  return new Date(Date.now() + expiresIn).toISOString();
}
