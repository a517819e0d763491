export const WINDOWS = {
  '1h': { label: 'Last hour', ms: 60 * 60_000 },
  '24h': { label: 'Last 24 hours', ms: 24 * 60 * 60_000 },
  '7d': { label: 'Last 7 days', ms: 7 * 24 * 60 * 60_000 },
  '30d': { label: 'Last 30 days', ms: 30 * 24 * 60 * 60_000 },
} as const;

type WindowName = keyof typeof WINDOWS;

/** Returns the start of a named window as an RFC 3339 time; undefined for any time and for an unknown name. */
export function windowStart(name: string | undefined, now: Date): string | undefined {
  if (name === undefined || !Object.hasOwn(WINDOWS, name)) return undefined;
  return new Date(now.getTime() - WINDOWS[name as WindowName].ms).toISOString();
}

/** Returns an RFC 3339 time of a URL in the form of the API; undefined when it is not one. */
function timeOf(text: string | undefined): string | undefined {
  const at = new Date(text ?? '');
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** Returns the period that the filters of a URL select, for the API: a custom one wins over a named window. */
export function periodOf(
  filters: { since?: string | undefined; from?: string | undefined; to?: string | undefined },
  now: Date,
): { from: string | undefined; to: string | undefined } {
  const from = timeOf(filters.from);
  const to = timeOf(filters.to);
  if (from !== undefined || to !== undefined) return { from, to };
  return { from: windowStart(filters.since, now), to: undefined };
}
