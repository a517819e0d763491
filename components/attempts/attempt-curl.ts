import { shellQuote } from '@/components/ui/shell-quote';
import type { SentRequest } from '@/lib/delivery/schema';

/** curl sets these itself. */
const OF_CURL = ['host', 'connection', 'content-length'];
const REDACTED = '[redacted]';
/** Nobody who must not see a signature can set it. */
const SIGNATURE = /signature|hmac/;
/** Linux limits one argument to 128 KiB. */
const MAX_BODY_CHARS = 30_000;

/** A terminal acts on these when a command is pasted, or drops them. */
const CONTROL = /[^\P{Cc}\t\n]/u;

/**
 * Returns a curl command that repeats a request with its signature. A credential becomes a variable of the shell, and a body that does
 * not fit on a command line a file. Null if the URL is not known any more.
 */
export function attemptCurl({ url, headers, body, bodyTruncated }: SentRequest): string | null {
  if (url === null) return null;
  const shown = headers.filter(
    ([name, value]) => !OF_CURL.includes(name) && !(value === REDACTED && SIGNATURE.test(name)),
  );
  const isInFile = body === null || bodyTruncated || body.length > MAX_BODY_CHARS || CONTROL.test(body);
  const data = isInFile ? '--data-binary @body' : `--data-raw ${shellQuote(body)}`;
  // curl would add one that the request did not have.
  const type = headers.some(([name]) => name === 'content-type') ? [] : [`-H ${shellQuote('content-type:')}`];
  // Else curl takes brackets and braces of the URL for a range of URLs.
  return [`curl --globoff -X POST ${shellQuote(url)}`, ...shown.map(argumentOf), ...type, data].join(' \\\n  ');
}

function argumentOf([name, value]: readonly [string, string]): string {
  if (value === REDACTED) return `-H ${shellQuote(`${name}: `)}"$CREDENTIAL"`;
  // curl drops a header without a value unless it ends with a semicolon.
  return `-H ${shellQuote(value === '' ? `${name};` : `${name}: ${value}`)}`;
}
