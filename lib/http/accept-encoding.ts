/** The Content-Encoding of a response (RFC 9110 section 8.4). */
export type ContentCoding = 'gzip' | 'identity';

/**
 * Returns the coding that the client prefers (RFC 9110 section 12.5.3): gzip if the header accepts it, by name or by `*`,
 * unless it gives identity a higher weight.
 *
 * @param header the Accept-Encoding; null without one
 */
export function preferredCoding(header: string | null): ContentCoding {
  if (header === null) return 'identity';
  const weights = new Map(header.split(',').map(readRange));
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0;
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0) ? 'gzip' : 'identity';
}

/** Whether the client names brotli, with any weight above zero. */
export function acceptsBrotli(header: string): boolean {
  return (new Map(header.split(',').map(readRange)).get('br') ?? 0) > 0;
}

/** A range that cannot be parsed has weight 0: identity is always safe. */
function readRange(range: string): [coding: string, weight: number] {
  const [coding = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  const [, digits] = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.exec(parameters[0] ?? 'q=1') ?? [];
  return [coding, digits === undefined || parameters.length > 1 ? 0 : Number(digits)];
}
