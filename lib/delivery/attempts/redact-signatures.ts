import { isSignatureName, REDACTED } from '@/lib/platform/net/credential-names';
import type { HeaderPairs } from '@/lib/platform/net/header-pairs';
import { secretRedactor } from '@/lib/platform/net/redact-secrets';

/** A signature in hex or base64, without what comes before it: `v1,`, `sha256=`, `t=1700000000,v1=`. */
const SIGNATURE = /[A-Za-z0-9+/_-]{24,512}={0,2}/g;
/** What surrounds the signatures in a header: algorithms, versions, times. */
const LABELS = /^[\w\s=,;"-]*$/;
/** Searching takes time for each, and for each character. A request has few of them; strangers can send more. */
const MAX_SECRETS = 24;
const MAX_CHARS_IN_ALL = 4_096;
/** A longer value is not searched for. */
const MAX_CHARS = 512;
/** Shorter values tell nothing. The start of a secret is redacted at the end of a text, which may have been cut within it. */
const MIN_CHARS = 6;

/** Replaces the secrets of a request where something repeats them, as debug pages, error pages and headers of proxies do. */
export interface RedactSignatures {
  text(text: string): string;
  /** @param bytes as latin1, such as the value of a header */
  bytes(bytes: string): string;
}

/** The columns of a source that `signatureHeadersOf` takes. */
export const SIGNATURE_HEADERS = { signatureHeader: true, earlierSignatureHeaders: true } as const;

/** Returns the headers that a source checks or has checked: requests that came in earlier still have their signature there. */
export function signatureHeadersOf(
  source: { signatureHeader: string | null; earlierSignatureHeaders: string[] } | null | undefined,
): string[] {
  if (source === null || source === undefined) return [];
  return [...source.earlierSignatureHeaders, ...(source.signatureHeader === null ? [] : [source.signatureHeader])];
}

/** Returns the values of the headers that carry a signature. @param chosen see `isSignatureName` */
export function signaturesIn(headers: HeaderPairs, chosen: readonly string[] = []): string[] {
  return headers.flatMap(([name, value]) => (isSignatureName(name.toLowerCase(), chosen) ? [value] : []));
}

/**
 * Redacts the values of the headers that carry a signature, and the secrets of the request in the others: proxies repeat its URL.
 * @param chosen see `isSignatureName`
 */
export function redactSignatureHeaders(
  headers: HeaderPairs,
  chosen: readonly string[],
  redact: RedactSignatures,
): HeaderPairs {
  return headers.map(([name, value]) => [
    name,
    isSignatureName(name.toLowerCase(), chosen) ? REDACTED : redact.bytes(value),
  ]);
}

/**
 * Returns what replaces the secrets of a request. When there are too many, it replaces everything.
 * @param signatures the values of the headers that carry them
 * @param parameters the secrets of its query (`secretsInQuery`)
 */
export function signatureRedactor(signatures: readonly string[], parameters: readonly string[] = []): RedactSignatures {
  const secrets = [...new Set([...signatures.flatMap(secretsOf), ...parameters])];
  const isTooMuch = secrets.length > MAX_SECRETS || secrets.join('').length > MAX_CHARS_IN_ALL;
  const search = isTooMuch ? () => REDACTED : secretRedactor(secrets, { replacement: REDACTED, cutChars: MIN_CHARS });
  const redact = (bytes: string) => search(bytes, true);
  const text = (value: string) => Buffer.from(redact(Buffer.from(value).toString('latin1')), 'latin1').toString();
  return { bytes: redact, text };
}

/**
 * Returns the signatures within the value of a header, and the value where more than labels surrounds them, such as `v1,` and `t=170,v1=`:
 * it may be a constant that a provider sends.
 */
function secretsOf(value: string): string[] {
  const signatures = value.match(SIGNATURE) ?? [];
  if (signatures.length > 0 && LABELS.test(value.replace(SIGNATURE, ''))) return signatures;
  const whole = value.trim();
  return whole.length >= MIN_CHARS && whole.length <= MAX_CHARS ? [...signatures, whole] : signatures;
}
