import type { Column } from '@/lib/cli/output/column';
import type { Endpoint } from '@/lib/delivery/schema';

/** Whether an endpoint gets events, and whether they arrive. */
export function stateOf({ enabled, failingSince }: Endpoint): 'enabled' | 'failing' | 'disabled' {
  if (!enabled) return 'disabled';
  return failingSince === null ? 'enabled' : 'failing';
}

/** Since when it is disabled or failing. */
export const sinceOf = ({ disabledAt, failingSince }: Endpoint) => disabledAt ?? failingSince;

const REASONS: Record<string, string> = {
  gone: 'The receiver responded with 410 Gone.',
  failing: 'Every attempt in the last 120 hours failed.',
};

/** Why the service disabled it; null when a person did. */
export const reasonOf = ({ disabledReason, pauseReason }: Endpoint) =>
  disabledReason === null ? pauseReason : (REASONS[disabledReason] ?? disabledReason);

export const ENDPOINT_COLUMNS: Column<Endpoint>[] = [
  { header: 'ID', value: ({ id }) => id, kind: 'id' },
  { header: 'STATE', value: stateOf, kind: 'state' },
  { header: 'SINCE', value: sinceOf, kind: 'time', spare: 1 },
  { header: 'URL', value: ({ url }) => url, kind: 'url' },
  { header: 'DESCRIPTION', value: ({ description }) => description, spare: 2 },
];
