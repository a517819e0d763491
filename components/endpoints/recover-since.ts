import type { Endpoint } from '@/lib/delivery/schema';

const HOUR_MS = 60 * 60_000;

/** From when failed deliveries can be recovered: the value of a choice, its label and its time; null for one to be entered. */
export interface RecoverChoice {
  value: string;
  label: string;
  from: string | null;
}

/** Lists from when the failed deliveries of an endpoint can be recovered. */
export function recoverChoices(
  { disabledAt, failingSince }: Pick<Endpoint, 'disabledAt' | 'failingSince'>,
  now: Date,
): RecoverChoice[] {
  const ago = (hours: number) => new Date(now.getTime() - hours * HOUR_MS).toISOString();
  return [
    { value: '1h', label: '1 hour', from: ago(1) },
    { value: '24h', label: '24 hours', from: ago(24) },
    { value: '7d', label: '7 days', from: ago(7 * 24) },
    ...(failingSince === null ? [] : [{ value: 'failing', label: 'Since it began to fail', from: failingSince }]),
    ...(disabledAt === null ? [] : [{ value: 'disabled', label: 'Since it was disabled', from: disabledAt }]),
    { value: 'custom', label: 'Custom', from: null },
  ];
}
