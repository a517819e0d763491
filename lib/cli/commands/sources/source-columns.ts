import type { Column } from '@/lib/cli/output/column';
import type { Source } from '@/lib/incoming/schema';

const NAMES: Column<Source>[] = [
  { header: 'ID', value: ({ id }) => id, kind: 'id' },
  { header: 'NAME', value: ({ name }) => name },
  { header: 'PROVIDER', value: ({ provider }) => provider, spare: 1 },
  { header: 'STATE', value: ({ enabled }) => (enabled ? 'enabled' : 'disabled'), kind: 'state' },
];
const URL: Column<Source> = { header: 'URL', value: ({ url }) => url, kind: 'url' };
const CREATED: Column<Source> = { header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time', spare: 2 };

export const SOURCE_COLUMNS: Column<Source>[] = [...NAMES, URL, CREATED];

export const SOURCE_FIELDS: Column<Source>[] = [
  ...NAMES,
  URL,
  { header: 'OLD URL ENDS', value: ({ previousUrlExpiresAt }) => previousUrlExpiresAt, kind: 'time' },
  { header: 'SECRET', value: secretState },
  { header: 'OLD SECRET ENDS', value: ({ previousSecretExpiresAt }) => previousSecretExpiresAt, kind: 'time' },
  { header: 'HEADER', value: ({ signatureHeader }) => signatureHeader },
  { header: 'ENCODING', value: ({ signatureEncoding }) => signatureEncoding },
  { header: 'PREFIX', value: ({ signaturePrefix }) => signaturePrefix },
  CREATED,
];

function secretState({ provider, hasSecret }: Source): string {
  if (provider === 'NONE') return 'not used';
  return hasSecret ? 'set' : 'missing: no request can be verified';
}
