import type { Exchanged } from '@/lib/delivery/schema';

/** A character that was cut may be missing at the end. */
const CUT_BYTES = 3;
const KIB = 1024;

/** Says that the body of a response may be cut off; null when it is complete. Its limits are those of the specification. */
export function keptBodyNote({
  responseBody,
  succeeded,
}: Pick<Exchanged, 'responseBody' | 'succeeded'>): string | null {
  const keptKib = succeeded ? 2 : 10;
  const bytes = new TextEncoder().encode(responseBody ?? '').length;
  if (bytes < keptKib * KIB - CUT_BYTES) return null;
  return `Only the first ${keptKib} KiB of ${succeeded ? 'a successful' : 'a failed'} response are stored.`;
}
