import type { CustomSignature } from '@/lib/delivery/endpoint-options-policy';
import { takeSecret } from './fields';
import type { Notes } from './plan';
import { isGiven, labelOf, listOf, quoted, recordOf, textOf, type Values } from './values';

/** Returns how an endpoint of a project signs; null, with a note, when that cannot be done here. */
export type ConvoySigning = (endpoint: Values, notes: Notes) => CustomSignature | null;

const DEFAULT_HEADER = 'X-Convoy-Signature';

/** Returns how the endpoints of a project sign. Each of its versions is a hash and an encoding; receivers accept any of them. */
export function signingOf(project: Values): ConvoySigning {
  const config = recordOf(project.config) ?? {};
  const given = recordOf(config.signature) ?? {};
  const versions = (listOf(given.versions) ?? []).map((each) => recordOf(each) ?? {});
  const newest = [...versions].sort(byCreation).at(-1) ?? {};
  const hash = textOf(newest.hash) ?? 'SHA256';
  const algorithm = (['SHA256', 'SHA512'] as const).find((each) => each === hash.toUpperCase());
  return (endpoint, notes) => {
    if (algorithm === undefined) {
      notes.lose(`it signs with ${quoted(hash)}, and not with SHA256 or SHA512`);
      return null;
    }
    if (versions.length > 1) notes.warn('it has several signatures there, and the newest of them here');
    // Advanced ones have a time, which simple ones lack.
    const isAdvanced = endpoint.advanced_signatures === true;
    return {
      profile: 'CUSTOM',
      header: textOf(given.header) ?? DEFAULT_HEADER,
      content: isAdvanced ? '{timestamp},{body}' : '{body}',
      algorithm,
      encoding: newest.encoding === 'base64' ? 'BASE64' : 'HEX',
      value: isAdvanced ? 't={timestamp},v1={signature}' : '{signature}',
    };
  };
}

const byCreation = (a: Values, b: Values) => (String(a.created_at) < String(b.created_at) ? -1 : 1);

/** Returns the secret of an endpoint: the newest that has no end; null, with a note, when there is none. */
export function secretOf(secrets: unknown, notes: Notes): string | null {
  const given = (listOf(secrets) ?? [])
    .map((each) => recordOf(each) ?? {})
    .filter(({ deleted_at: at }) => !isGiven(at));
  const current = given.filter(({ expires_at: at }) => !isGiven(at)).sort(byCreation);
  const secret = takeSecret(textOf(current.at(-1)?.value), 'CUSTOM', notes);
  for (const { expires_at: end } of given) {
    if (isGiven(end) && Date.parse(String(end)) > Date.now()) {
      notes.warn(`an older secret signs there too until ${labelOf(end)}`);
    }
  }
  return secret;
}
