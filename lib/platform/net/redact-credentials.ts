import { redactSecrets } from '@/lib/platform/net/redact-secrets';

const REDACTED = '[credential]';
/** A shorter text would also be replaced where it is not the credential. */
const MIN_CHARS = 6;

/**
 * Replaces the credentials of request headers in a response body: debug pages and error pages repeat the request, and whoever may read
 * deliveries would see them. Finds them as sent, without their scheme and decoded from Basic, in any usual spelling.
 *
 * @param headers the headers with credentials
 * @param isCut whether reading ended before the body, so that it may end within a credential
 */
export function redactCredentials(body: Buffer, headers: Readonly<Record<string, string>>, isCut: boolean): Buffer {
  const credentials = Object.values(headers).flatMap(formsOf);
  if (credentials.length === 0) return body;
  // One character for each byte, so that bytes that are not UTF-8 stay as they are.
  const redacted = redactSecrets(body.toString('latin1'), credentials, {
    replacement: REDACTED,
    cutChars: isCut ? MIN_CHARS : null,
  });
  return Buffer.from(redacted, 'latin1');
}

function formsOf(value: string): string[] {
  const [, scheme = '', rest = ''] = /^(\S+) +(.+)$/.exec(value) ?? [];
  const decoded = scheme.toLowerCase() === 'basic' ? Buffer.from(rest, 'base64').toString() : '';
  const forms = [value, rest, decoded, decoded.slice(decoded.indexOf(':') + 1)];
  const distinct = [...new Set(forms)].filter((form) => form.length >= MIN_CHARS);
  return distinct.map((form) => Buffer.from(form).toString('latin1'));
}
