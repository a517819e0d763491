import type { Column } from '@/lib/cli/output/column';
import type { ApiKey } from '@/lib/keys/schema';

export const KEY_COLUMNS: Column<ApiKey>[] = [
  { header: 'ID', value: ({ id }) => id, kind: 'id' },
  { header: 'NAME', value: ({ name }) => name },
  { header: 'STATUS', value: ({ status }) => status, kind: 'state' },
  { header: 'SCOPE', value: ({ scope }) => scope },
  { header: 'HINT', value: ({ hint }) => hint, spare: 1 },
  { header: 'LAST USED', value: ({ lastUsedAt }) => lastUsedAt, kind: 'time', spare: 2 },
  { header: 'EXPIRES', value: ({ expiresAt }) => expiresAt, kind: 'time' },
];
