import { isSignatureName, REDACTED } from '@/lib/platform/net/credential-names';
import type { HeaderPairs } from '@/lib/platform/net/header-pairs';

/** A signature in hex or base64, without what comes before it: `v1,`, `sha256=`, `t=1700000000,v1=`. */
const SIGNATURE = /[A-Za-z0-9+/_-]{24,512}={0,2}/g;
/** A request has one of its provider, perhaps in two forms, and one of ours, or two after a rotation. Strangers can send more. */
const MAX_SIGNATURES = 4;
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

/** Returns the values of the headers that carry a signature. @param chosen see `isSignatureName` */
export function signaturesIn(headers: HeaderPairs, chosen: string | null = null): string[] {
  return headers.flatMap(([name, value]) => (isSignatureName(name.toLowerCase(), chosen) ? [value] : []));
}

/** Redacts the values of the headers that carry a signature. @param chosen see `isSignatureName` */
export function redactSignatureHeaders(headers: HeaderPairs, chosen: string | null = null): HeaderPairs {
  return headers.map(([name, value]) => [name, isSignatureName(name.toLowerCase(), chosen) ? REDACTED : value]);
}

/** Returns a function that replaces signatures in a text. @param values the headers that carry them */
export function signatureRedactor(values: readonly string[]): RedactSignatures {
  const found = new Set(values.flatMap((value) => value.match(SIGNATURE) ?? []));
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
