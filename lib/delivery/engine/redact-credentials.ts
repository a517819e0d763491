const REDACTED = '[credential]';
/** A shorter text would also be replaced where it is not the credential. */
const MIN_CHARS = 6;

/**
 * Replaces the credentials of request headers in a response body: debug pages and error pages repeat the request, and whoever may read
 * deliveries would see them. Finds them as sent, without their scheme, decoded from Basic, and escaped as JSON.
 *
 * @param headers the headers with credentials
 * @param isCut whether reading ended before the body, so that it may end within a credential
 */
export function redactCredentials(body: Buffer, headers: Readonly<Record<string, string>>, isCut: boolean): Buffer {
  const credentials = Object.values(headers).flatMap(formsOf);
  if (credentials.length === 0) return body;
  // One character for each byte, so that bytes that are not UTF-8 stay as they are.
  let text = body.toString('latin1');
  for (const credential of credentials) text = text.replaceAll(credential, REDACTED);
  return Buffer.from(isCut ? withoutCutCredential(text, credentials) : text, 'latin1');
}

/** Longest first, since some contain others. */
function formsOf(value: string): string[] {
  const [, scheme = '', rest = ''] = /^(\S+) +(.+)$/.exec(value) ?? [];
  const decoded = scheme.toLowerCase() === 'basic' ? Buffer.from(rest, 'base64').toString() : '';
  const plain = [value, rest, decoded, decoded.slice(decoded.indexOf(':') + 1)];
  const forms = [...plain, ...plain.map((form) => JSON.stringify(form).slice(1, -1))];
  const distinct = [...new Set(forms)].filter((form) => form.length >= MIN_CHARS);
  return distinct.map((form) => Buffer.from(form).toString('latin1')).sort((a, b) => b.length - a.length);
}

function withoutCutCredential(text: string, credentials: readonly string[]): string {
  for (const credential of credentials) {
    for (let chars = credential.length - 1; chars >= MIN_CHARS; chars -= 1) {
      if (text.endsWith(credential.slice(0, chars))) return text.slice(0, -chars) + REDACTED;
    }
  }
  return text;
}
