import type { DataClass, RetentionRule } from '@/lib/retention/schema';

/** The label and description of each data class. */
export const DATA_CLASS_LABELS: Record<DataClass, { label: string; about: string }> = {
  succeededAttempts: {
    label: 'Successful attempts',
    about: 'Request and response of attempts that got a 2xx response.',
  },
  failedAttempts: {
    label: 'Failed attempts',
    about: 'Request and response of attempts that got another response, or none.',
  },
  attemptsPerDelivery: { label: 'Attempts per delivery', about: 'Only the newest are kept; others are deleted early.' },
  events: { label: 'Events', about: 'With their data and deliveries. An event stays while a delivery is retried.' },
  incomingEvents: { label: 'Incoming events', about: 'With their bodies and deliveries.' },
  deadOutbox: {
    label: 'Dead letters',
    about: 'Events we couldn’t create deliveries for, counted from the last attempt.',
  },
  tunnelRequests: { label: 'Tunnel requests', about: 'The request log of your tunnels.' },
};

/** Formats days: "14 days", "1 day". */
export function formatDays(days: number): string {
  return `${days.toLocaleString('en-GB')} ${days === 1 ? 'day' : 'days'}`;
}

/** Formats a rule: "14 days", or "10 per delivery". */
export function formatRule({ days, perDelivery }: Pick<RetentionRule, 'days' | 'perDelivery'>): string {
  if (days !== null) return formatDays(days);
  return `${(perDelivery ?? 0).toLocaleString('en-GB')} per delivery`;
}

/** Returns how many days a data class is kept; undefined while unknown. */
export function daysOf(classes: readonly RetentionRule[] | undefined, data: DataClass): number | undefined {
  return classes?.find((rule) => rule.data === data)?.days ?? undefined;
}

/** Describes the rules for attempts in a sentence; null while a rule is unknown. */
export function describeAttemptRules(classes: readonly RetentionRule[]): string | null {
  const success = daysOf(classes, 'succeededAttempts');
  const failure = daysOf(classes, 'failedAttempts');
  const cap = classes.find(({ data }) => data === 'attemptsPerDelivery')?.perDelivery;
  if (success === undefined || failure === undefined || cap === undefined || cap === null) return null;
  const ages =
    success === failure
      ? `${formatDays(success)}`
      : `${formatDays(success)} after a success and ${formatDays(failure)} after a failure`;
  return `Attempt details are kept for ${ages}, at most ${cap.toLocaleString('en-GB')} per delivery.`;
}

const DAY_MS = 86_400_000;

/** Returns when a UUIDv7 was created; null for any other id. */
export function timestampOfId(id: string): Date | null {
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i.test(id)) return null;
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

/** Returns when the id was created if that is longer ago than the shortest of these rules keeps data; else null. */
export function createdBeforeRetention(
  id: string,
  classes: readonly RetentionRule[] | undefined,
  kinds: readonly DataClass[],
  now: Date,
): Date | null {
  const days = kinds.map((kind) => daysOf(classes, kind)).filter((value) => value !== undefined);
  const createdAt = timestampOfId(id);
  if (createdAt === null || days.length === 0) return null;
  return now.getTime() - createdAt.getTime() >= Math.min(...days) * DAY_MS ? createdAt : null;
}

/** Returns `keptDays` when a list from `from` (undefined: any time) reaches further back than that; else null. */
export function exceededRetentionDays(
  from: string | undefined,
  keptDays: number | undefined,
  now: Date,
): number | null {
  if (keptDays === undefined) return null;
  const reachesBeyond = from === undefined || new Date(from).getTime() < now.getTime() - keptDays * DAY_MS;
  return reachesBeyond ? keptDays : null;
}
