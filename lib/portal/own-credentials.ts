import { signingKeys } from '@/lib/auth/access-token';
import { isWellFormedKey } from '@/lib/keys/key-format';
import { REDACTED } from '@/lib/platform/net/credential-names';

/** What may be an API key, a token or link of a portal, or an access token, whose header names its key. */
const CANDIDATE = /(?<![\w-])(?:eds_\w{49}|p(?:tok|link)_[\w-]{65}|eyJ[\w-]{60,1024}\.[\w-]+\.[\w-]+)(?![\w-])/g;

/** Replaces the credentials of this service in a value of a header, whatever its name: people send them under names of their own. */
export function redactOwnCredentials(value: string): string {
  return value.replaceAll(CANDIDATE, (found) => (isOwnCredential(found) ? REDACTED : found));
}

function isOwnCredential(found: string): boolean {
  if (found.startsWith('p')) return true;
  if (found.startsWith('eds_')) return isWellFormedKey(found);
  const header = Buffer.from(found.slice(0, found.indexOf('.')), 'base64url').toString();
  return signingKeys().some(({ kid }) => header.includes(kid));
}
