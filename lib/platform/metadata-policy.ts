import { isStorable, STORABLE_RULE } from './text-policy';

export const MAX_METADATA_MEMBERS = 20;
export const MAX_METADATA_BYTES = 4 * 1024;

/** Lists what a caller keeps with a resource: "plan: enterprise, region: eu". */
export function describeMetadata(metadata: Readonly<Record<string, string>>): string {
  return Object.entries(metadata)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ');
}

/** Returns the bytes that metadata takes as JSON. */
export const metadataBytes = (metadata: object) => new TextEncoder().encode(JSON.stringify(metadata)).length;

/** Returns what is wrong with metadata; null for nothing. */
export function metadataFault(metadata: Readonly<Record<string, string>>): string | null {
  const texts = Object.entries(metadata).flat();
  if (Object.hasOwn(metadata, '__proto__')) return 'must not have the name __proto__';
  if (Object.hasOwn(metadata, '')) return 'must have names that are not empty';
  if (!texts.every(isStorable)) return STORABLE_RULE;
  if (texts.length > 2 * MAX_METADATA_MEMBERS) return `must have at most ${MAX_METADATA_MEMBERS} members`;
  return metadataBytes(metadata) > MAX_METADATA_BYTES ? 'must have at most 4 KiB' : null;
}
