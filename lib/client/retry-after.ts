/**
 * Parses a Retry-After of seconds or an HTTP date (RFC 9110, 10.2.3) into seconds from now, rounded up; null for anything else.
 */
export function parseRetryAfter(value: string | null, nowMs: number): number | null {
  const text = value?.trim() ?? '';
  if (/^\d{1,15}$/.test(text)) return Number(text);
  // Only dates start with a letter. Date.parse would read "-5" as a year.
  const atMs = /^[A-Za-z]/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - nowMs) / 1000));
}
