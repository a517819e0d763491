import type { DataClass, RetentionRule } from '@/lib/retention/schema';

/** What each class of data is called, everywhere. */
export const DATA_CLASS_LABELS: Record<DataClass, { label: string; about: string }> = {
  succeededAttempts: { label: 'Successful attempts', about: 'Tries that were answered 2xx.' },
  failedAttempts: { label: 'Failed attempts', about: 'Tries with another answer, or none.' },
  attemptsPerDelivery: { label: 'Attempts of one delivery', about: 'The newest stay, whatever their age.' },
  events: { label: 'Events', about: 'With their payload and deliveries.' },
  incomingEvents: { label: 'Incoming events', about: 'With their body and forwards.' },
  deadOutbox: { label: 'Abandoned sends', about: 'What could not be fanned out, counted from when it was given up.' },
  tunnelRequests: { label: 'Tunnel requests', about: 'The log of requests through tunnels.' },
};

/** "14 days", "1 day". */
export function formatDays(days: number): string {
  return `${days.toLocaleString('en-GB')} ${days === 1 ? 'day' : 'days'}`;
}

/** "14 days", or "10 for each delivery". */
export function formatRule({ days, perDelivery }: Pick<RetentionRule, 'days' | 'perDelivery'>): string {
  if (days !== null) return formatDays(days);
  return `${(perDelivery ?? 0).toLocaleString('en-GB')} for each delivery`;
}

/** The days that a class is kept; undefined while that is not known. */
export function daysOf(classes: readonly RetentionRule[] | undefined, data: DataClass): number | undefined {
  return classes?.find((rule) => rule.data === data)?.days ?? undefined;
}

/** "Attempt details are kept 14 days after a success and 90 days after a failure, at most 10 for each delivery." */
export function describeAttemptRules(classes: readonly RetentionRule[]): string | null {
  const [success, failure] = [daysOf(classes, 'succeededAttempts'), daysOf(classes, 'failedAttempts')];
  const cap = classes.find(({ data }) => data === 'attemptsPerDelivery')?.perDelivery;
  if (success === undefined || failure === undefined || cap === undefined || cap === null) return null;
  const ages =
    success === failure
      ? `${formatDays(success)}`
      : `${formatDays(success)} after a success and ${formatDays(failure)} after a failure`;
  return `Attempt details are kept ${ages}, at most ${cap.toLocaleString('en-GB')} for each delivery.`;
}
