import { isSignatureName, REDACTED } from '@/lib/platform/net/credential-names';
import type { HeaderPairs } from '@/lib/platform/net/header-pairs';
import { redactSecrets } from '@/lib/platform/net/redact-secrets';

/** A signature in hex or base64, without what comes before it: `v1,`, `sha256=`, `t=1700000000,v1=`. */
const SIGNATURE = /[A-Za-z0-9+/_-]{24,512}={0,2}/g;
/** Searching takes time for each. A request has few of them; strangers can send more. */
const MAX_SECRETS = 24;
/** A longer value is not searched for. */
const MAX_CHARS = 512;
/** Shorter values tell nothing. The start of a secret is redacted at the end of a text, which may have been cut within it. */
const MIN_CHARS = 6;

/** A text without the signatures of its request, which receivers repeat on debug pages and error pages. */
export type RedactSignatures = (text: string) => string;

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

/** Redacts the values of the headers that carry a signature. @param chosen see `isSignatureName` */
export function redactSignatureHeaders(headers: HeaderPairs, chosen: readonly string[] = []): HeaderPairs {
  return headers.map(([name, value]) => [name, isSignatureName(name.toLowerCase(), chosen) ? REDACTED : value]);
}

/**
 * Returns a function that replaces the secrets of a request in a text. When there are too many, it replaces the text.
 * @param signatures the headers that carry them
 * @param parameters the secrets of its query
 */
export function signatureRedactor(signatures: readonly string[], parameters: readonly string[] = []): RedactSignatures {
  const secrets = [...new Set([...signatures.flatMap(secretsOf), ...parameters])];
  if (secrets.length > MAX_SECRETS) return () => REDACTED;
  return (text) => redactSecrets(text, secrets, { replacement: REDACTED, cutChars: MIN_CHARS });
}

/** Returns the signatures within the value of a header; without any, the value, which may be a constant that a provider sends. */
function secretsOf(value: string): string[] {
  const whole = value.trim();
  return value.match(SIGNATURE) ?? (whole.length >= MIN_CHARS && whole.length <= MAX_CHARS ? [whole] : []);
}
