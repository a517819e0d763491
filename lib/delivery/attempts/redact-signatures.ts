import { REDACTED } from '@/lib/delivery/engine/kept-headers';

/** A signature of Standard Webhooks: HMAC-SHA-256 in base64. */
const SIGNATURE = /v1,([A-Za-z0-9+/]{43}=)/g;
/** A request has one, or two after a rotation. Strangers can send any number to a tunnel. */
const MAX_SIGNATURES = 2;
/** The start of a signature is redacted at the end of a text, which may have been cut within it. Shorter ones tell nothing. */
const MIN_CHARS = 6;

/** How a character may be written in JSON, URLs and HTML. Repeats are bounded: a hostile text must not make a search slow. */
const SPELLINGS: Record<string, string> = {
  '+': String.raw`(?:\+|%2[Bb]|\\{1,4}u002[Bb]|&#0?43;|&#[xX]0?2[Bb];|&plus;)`,
  '/': String.raw`(?:\\{0,4}/|%2[Ff]|\\{1,4}u002[Ff]|&#0?47;|&#[xX]0?2[Ff];|&sol;)`,
  '=': String.raw`(?:=|%3[Dd]|\\{1,4}u003[Dd]|&#0?61;|&#[xX]0?3[Dd];|&equals;)`,
};

/** A text without the signatures of its request, which receivers repeat on debug pages and error pages. */
export type RedactSignatures = (text: string) => string;

/**
 * Returns a function that replaces the signatures of a request in a text, for those who must not see them.
 * @param header the value of `webhook-signature`; null or undefined without one
 */
export function signatureRedactor(header: string | null | undefined): RedactSignatures {
  const found = new Set([...(header ?? '').matchAll(SIGNATURE)].map(([, signature = '']) => signature));
  const patterns = [...found].slice(0, MAX_SIGNATURES).map(patternOf);
  return (text) => patterns.reduce((redacted, pattern) => redacted.replace(pattern, REDACTED), text);
}

function patternOf(signature: string): RegExp {
  const source = [...signature].reduceRight((rest, char, at) => {
    const next = (SPELLINGS[char] ?? char) + rest;
    return at < MIN_CHARS ? next : `(?:${next}|$)`;
  }, '');
  return new RegExp(source, 'g');
}
