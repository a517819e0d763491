import type { Column } from '@/lib/cli/output/column';
import type { Destination } from '@/lib/incoming/schema';

export const DESTINATION_COLUMNS: Column<Destination>[] = [
  { header: 'ID', value: ({ id }) => id, kind: 'id' },
  { header: 'URL', value: ({ url }) => url, kind: 'url' },
  { header: 'STATE', value: ({ enabled }) => (enabled ? 'enabled' : 'disabled'), kind: 'state' },
  { header: 'CREDENTIAL', value: credential, spare: 1 },
  { header: 'SIGNED', value: ({ hasSecret }) => hasSecret, spare: 2 },
  { header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time', spare: 3 },
];

export const DESTINATION_FIELDS: Column<Destination>[] = [
  ...DESTINATION_COLUMNS,
  { header: 'DESCRIPTION', value: ({ description }) => description },
  { header: 'DISABLED BECAUSE', value: ({ disabledReason, pauseReason }) => disabledReason ?? pauseReason },
  { header: 'FAILING SINCE', value: ({ failingSince }) => failingSince, kind: 'time' },
  { header: 'RETRIES AFTER', value: ({ retrySeconds }) => retrySeconds.map((seconds) => `${seconds} s`).join(', ') },
];

function credential({ auth }: Destination): string | null {
  if (auth === null) return null;
  if (auth.type === 'BASIC') return `basic, ${auth.username}`;
  if (auth.type === 'HEADER') return `header ${auth.name}`;
  return auth.type.toLowerCase();
}
