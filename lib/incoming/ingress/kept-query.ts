import { fieldError } from '@/lib/platform/errors';

const MAX_CHARS = 2_048;

/**
 * Returns the query string that is kept with an incoming event and forwarded: as it was sent, but with every byte that a URL may not
 * have escaped; null without one.
 * @throws AppError validation_failed beyond 2,048 characters: a shortened one would mean something else
 */
export function keptQuery(raw: string): string | null {
  if (raw === '') return null;
  // A character is a byte. "#" would start the fragment of the URL that it is appended to.
  const query = raw.replaceAll(
    /[^\x21\x22\x24-\x7e]/g,
    (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  if (query.length > MAX_CHARS) throw fieldError('query', `must have at most ${MAX_CHARS} characters`);
  return query;
}
