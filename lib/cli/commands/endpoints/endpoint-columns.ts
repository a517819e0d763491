import type { Column } from '@/lib/cli/output/column';
import type { Endpoint } from '@/lib/delivery/schema';

const STATE: Column<Endpoint> = {
  header: 'STATE',
  value: ({ enabled }) => (enabled ? 'enabled' : 'disabled'),
  kind: 'state',
};

export const ENDPOINT_COLUMNS: Column<Endpoint>[] = [
  { header: 'ID', value: ({ id }) => id },
  { header: 'URL', value: ({ url }) => url },
  STATE,
  { header: 'FAILING SINCE', value: ({ failingSince }) => failingSince, kind: 'time' },
  { header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time' },
];

/** The fields of one endpoint; what is wrong comes first. */
export const ENDPOINT_FIELDS: Column<Endpoint>[] = [
  { header: 'ID', value: ({ id }) => id },
  { header: 'URL', value: ({ url }) => url },
  STATE,
  { header: 'DISABLED BECAUSE', value: ({ disabledReason }) => disabledReason },
  { header: 'DISABLED', value: ({ disabledAt }) => disabledAt, kind: 'time' },
  { header: 'FAILING SINCE', value: ({ failingSince }) => failingSince, kind: 'time' },
  { header: 'DESCRIPTION', value: ({ description }) => description },
  { header: 'RETRIES', value: ({ retrySeconds }) => describeRetries(retrySeconds) },
  { header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time' },
];

function describeRetries(seconds: readonly number[]): string {
  return seconds.length === 0 ? 'as the deployment is configured' : `after ${seconds.join(', ')} s`;
}
