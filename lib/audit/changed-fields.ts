import { isDeepStrictEqual } from 'node:util';

/** The value of a field before and after a change; empty for a value that the log must not keep. */
type Change = { from: unknown; to: unknown } | Record<string, never>;

/** Longer values are left out, in characters of JSON: entries stay for as long as the service. */
const MAX_VALUE_LENGTH = 400;

/**
 * Returns what a request changed, by field, for the details of an audit entry; null when every value stayed the same.
 *
 * Of a URL only the origin is kept, because the rest may contain a token. When the origin stays the same, the change is empty.
 *
 * @param before what the API shows of the resource before the change
 * @param after the same after the change
 * @param fields the fields that the request names
 * @param secrets fields that the API does not show in plain text: setting one is a change, whatever its value
 */
export function changedFields(
  before: object,
  after: object,
  fields: readonly string[],
  secrets: readonly string[] = [],
): Record<string, Change> | null {
  const [old, current] = [before, after] as Record<string, unknown>[];
  const changes = fields.flatMap((field): [string, Change][] => {
    if (secrets.includes(field)) return [[field, {}]];
    const [from, to] = [old?.[field], current?.[field]];
    return isDeepStrictEqual(from, to) ? [] : [[field, keptChange(field, from, to)]];
  });
  return changes.length === 0 ? null : Object.fromEntries(changes);
}

function keptChange(field: string, from: unknown, to: unknown): Change {
  if (/(?:^|\.)(?:url|logoUrl)$/.test(field)) {
    const [oldOrigin, newOrigin] = [from, to].map((url) => (typeof url === 'string' ? new URL(url).origin : null));
    return oldOrigin === newOrigin ? {} : { from: oldOrigin, to: newOrigin };
  }
  const length = JSON.stringify([from, to]).length;
  return length > MAX_VALUE_LENGTH ? {} : { from, to };
}
