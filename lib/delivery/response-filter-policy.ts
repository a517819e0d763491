/** A status code, a class of them, or none: the last attempt got no response. */
export const RESPONSE_FILTER = /^([1-5]\d\d|[1-5]xx|none)$/;

/** What deliveries are selected by: an inclusive range of status codes; 'none' for those without a response; null for all. */
type ResponseRange = readonly [lowest: number, highest: number] | 'none' | null;

/** Returns what a filter that matches `RESPONSE_FILTER` selects: '503' → [503, 503], '5xx' → [500, 599]. */
export function responseRangeOf(filter: string | undefined): ResponseRange {
  if (filter === undefined) return null;
  if (filter === 'none') return 'none';
  if (!filter.endsWith('xx')) return [Number(filter), Number(filter)];
  const lowest = Number(filter[0]) * 100;
  return [lowest, lowest + 99];
}
