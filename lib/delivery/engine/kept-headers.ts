import { headerLine, joinHeaderLines } from '@/lib/delivery/header-lines';
import { isCredentialName, REDACTED } from '@/lib/platform/net/credential-names';
import type { ResponseHeaders } from '@/lib/platform/net/exchange';
import { redactCredentials } from '@/lib/platform/net/redact-secrets';
import { toStorable } from '@/lib/platform/text';

const MAX_HEADERS = 64;
/** Of names and values together. */
const MAX_CHARS = 4 * 1024;

/**
 * Returns the headers of a response as they are stored: without credentials, at most 64, and 4 KiB of names and values. Null without
 * a response.
 *
 * @param sent the credentials of the request, which a response may repeat
 */
export function keptHeaders(headers: ResponseHeaders | null, sent: Readonly<Record<string, string>>): string | null {
  if (headers === null) return null;
  const lines: string[] = [];
  let chars = 0;
  for (const name in headers) {
    const given = headers[name] ?? '';
    for (const value of typeof given === 'string' ? [given] : given) {
      const line = headerLine(name, isCredentialName(name) ? REDACTED : withoutCredentials(value, sent));
      if (lines.length === MAX_HEADERS) return stored(lines, true);
      if (chars + line.length > MAX_CHARS) return stored([...lines, line.slice(0, MAX_CHARS - chars)], true);
      chars += line.length;
      lines.push(line);
    }
  }
  return stored(lines, false);
}

function withoutCredentials(value: string, sent: Readonly<Record<string, string>>): string {
  for (const _ in sent) return redactCredentials(Buffer.from(value, 'latin1'), sent, false).toString('latin1');
  return value;
}

function stored(lines: readonly string[], isCut: boolean): string {
  const text = joinHeaderLines(lines, isCut);
  // Header values are latin1, so only U+0000 could not be stored.
  return text.includes('\0') ? toStorable(text) : text;
}
