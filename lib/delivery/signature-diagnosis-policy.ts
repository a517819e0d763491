import { isDeepStrictEqual } from 'node:util';
import { type HeaderReader, readerOf } from './received-headers-policy';
import type { SignatureCheck } from './schema';
import {
  algorithmOf,
  decodeDigest,
  type HmacOf,
  MAX_SIGNATURES,
  parseSeconds,
  SCHEMES,
  SIGNATURE_BYTES,
  type SignatureForm,
  type SignatureScheme,
  type SignedRequest,
  signatureOf,
  TOLERANCE_SECONDS,
} from './signature-schemes-policy';
import { NAMES, type SignatureWords, WORDS_FOR_RECEIVERS } from './signature-words-policy';
import { findBodyMistake, firstDifference } from './signed-body-policy';

/** The secrets that a signature is compared with. */
export interface CheckedSecrets {
  /** The present one; null if none is set. */
  current: string | null;
  /** The one before it: still valid, or rotated out. */
  previous?: { secret: string; endsAt: Date; isValid: boolean } | null;
  /** Those of others, by the name that a person knows them by. */
  others?: readonly { name: string; secret: string }[];
}

/** A request as it was received. */
export interface CheckedRequest {
  headers: [name: string, value: string][];
  body: Buffer;
  /** When it was received, or now. */
  at: Date;
  /** The body that was sent, if it is known. */
  sent?: Buffer | null;
  /** The public URL that it was sent to, with its query; absent if it is not known. */
  url?: string;
  /** Computes the HMACs of a large body, which is not searched for mistakes. */
  hmac?: HmacOf;
}

/** Joins sentences, of which some may be empty. */
const sentences = (...given: string[]) => given.filter((each) => each !== '').join(' ');

type Finding = Pick<SignatureCheck, 'reason' | 'detail'> & Partial<Pick<SignatureCheck, 'signedWith' | 'difference'>>;

/** A signature, or a way to write one that the scheme does not have. */
interface Candidate {
  digest: Buffer;
  /** What is wrong about how it is written; null for nothing. */
  fault: string | null;
}

/**
 * What is hashed to find a mistake, beyond the body with the secrets that are valid. The thread does nothing else
 * meanwhile.
 */
const MAX_HASHED_BYTES = 4 * 1024 * 1024;
/** Each signature of Ed25519 hashes the body. */
const MAX_ED25519_CANDIDATES = 4;
/** Parsing and comparing more JSON takes long. */
const MAX_COMPARED_BYTES = 64 * 1024;

/** The last second that has a four-digit year. */
const LAST_SECOND = 253_402_300_799;

/** Says like `diagnoseInSteps` whether a receiver accepts a request, all at once. */
export function diagnoseSignature(...given: Parameters<typeof diagnoseInSteps>): SignatureCheck {
  const steps = diagnoseInSteps(...given);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/**
 * Says whether a receiver accepts the signature of a request, and why not. Each mistake that it names was proven: the signature
 * is right once that mistake is undone. The result repeats neither a signature nor a secret. Yields while it searches for the mistake in
 * the body.
 * @param words for its reader; without them, for whoever receives requests
 */
export function* diagnoseInSteps(
  form: SignatureForm,
  request: CheckedRequest,
  secrets: CheckedSecrets,
  words = WORDS_FOR_RECEIVERS,
): Generator<undefined, SignatureCheck> {
  const header = readerOf(request.headers);
  const scheme = SCHEMES[form.provider];
  const algorithm = algorithmOf(form);
  const received: SignedRequest = { header, body: request.body, url: () => request.url ?? '' };
  const isEmpty = request.headers.length === 0 && scheme.headers(form, header).length > 0;
  const unread: Finding | null =
    isEmpty && words.noHeaders !== undefined
      ? { reason: 'missing_header', detail: words.noHeaders }
      : findUnreadable(form, received, secrets, words);
  const { signatures, seconds, start, end = '' } = scheme.read(received, form);
  const signed = seconds === null ? null : parseSeconds(seconds);
  const time = {
    signedAt: signed === null || signed > LAST_SECOND ? null : new Date(signed * 1000).toISOString(),
    ageSeconds: signed === null ? null : Math.round(request.at.getTime() / 1000 - signed),
  };
  const conclude = (
    { reason, detail, signedWith = null, difference = null }: Finding,
    isTimeTold = false,
  ): SignatureCheck => {
    const { ageSeconds } = time;
    const told = isTimeTold || !isLate(ageSeconds) ? detail : `${detail} ${words.alsoLate(ageSeconds)}`;
    return { verified: reason === 'verified', reason, detail: told, signedWith, difference, ...time };
  };
  if (unread !== null) return conclude(unread);
  if (algorithm === 'token') return conclude(diagnoseToken(signatures, form, secrets, words));
  const candidates = candidatesOf(form, signatures, header).slice(
    0,
    algorithm === 'ed25519' ? MAX_ED25519_CANDIDATES : undefined,
  );
  if (candidates.length === 0) return conclude(malformedSignature(form));
  if (secrets.current === null) {
    return conclude({ reason: 'no_secret', detail: words.noSecret });
  }
  const match = (key: string | Buffer, body: Buffer): Candidate | undefined => {
    const isSigned = signatureOf(algorithm, key, [start, body, end], request.hmac);
    return candidates.find(({ digest }) => isSigned(digest));
  };
  let hashedBytes = 0;
  const isMistake = (key: string | Buffer, body: Buffer): boolean => {
    hashedBytes += body.length * (algorithm === 'ed25519' ? candidates.length : 1);
    return hashedBytes <= MAX_HASHED_BYTES && match(key, body) !== undefined;
  };

  const { current, previous, others = [] } = secrets;
  const valid = [
    { name: 'current' as const, secret: current },
    ...(previous?.isValid ? [{ name: 'previous' as const, secret: previous.secret }] : []),
  ];
  for (const { name, secret } of valid) {
    const found = match(scheme.key(secret, form), request.body);
    if (found === undefined) continue;
    if (found.fault !== null) return conclude({ reason: 'signature_encoding', detail: found.fault, signedWith: name });
    return conclude(timed(name, time.ageSeconds, words), true);
  }
  for (const { name, secret } of valid) {
    const mistake = keyMistakes(form, secret).find(({ key }) => key.length > 0 && isMistake(key, request.body));
    if (mistake) return conclude({ reason: mistake.reason, detail: mistake.detail, signedWith: name });
  }
  if (previous && !previous.isValid && isMistake(scheme.key(previous.secret, form), request.body)) {
    const which = `It was signed with the secret that was rotated out. That one ended ${formatTime(previous.endsAt)}.`;
    return conclude({ reason: 'secret_rotated_out', detail: sentences(which, words.correctSecret) });
  }
  const other = others.find(({ secret }) => isMistake(scheme.key(secret, form), request.body));
  if (other) {
    return conclude({ reason: 'secret_of_another', detail: `It was signed with the secret of ${other.name}.` });
  }
  const isSigned = (body: Buffer) => valid.find(({ secret }) => isMistake(scheme.key(secret, form), body))?.name;
  return conclude(yield* diagnoseBody(request, start + end !== '', isSigned, words));
}

/** Compares a token, which covers nothing of the request, with the secrets. */
function diagnoseToken(
  [presented]: readonly string[],
  { provider }: SignatureForm,
  { current, previous = null }: CheckedSecrets,
  words: SignatureWords,
): Finding {
  const isInBody = provider === 'MICROSOFT_GRAPH';
  if (presented === undefined) {
    const detail = isInBody
      ? 'The body has no clientState, or notifications with several.'
      : 'The header has no token after its prefix.';
    return { reason: 'malformed_header', detail };
  }
  if (current === null) {
    return { reason: 'no_secret', detail: words.noToken };
  }
  const isToken = (secret: string) => signatureOf('token', secret)(Buffer.from(presented));
  if (isToken(current)) return timed('current', null, words);
  if (previous !== null && isToken(previous.secret)) {
    if (previous.isValid) return timed('previous', null, words);
    const which = `It is the secret that was rotated out. That one ended ${formatTime(previous.endsAt)}.`;
    return { reason: 'secret_rotated_out', detail: sentences(which, words.correctSecret) };
  }
  if (isToken(current.trim()) || signatureOf('token', current.trim())(Buffer.from(presented.trim()))) {
    return { reason: 'secret_whitespace', detail: 'The token is right but for white space around it or the secret.' };
  }
  return { reason: 'wrong_secret', detail: words.wrongToken };
}

function timed(signedWith: 'current' | 'previous', ageSeconds: number | null, words: SignatureWords): Finding {
  const which = signedWith === 'current' ? 'the current secret' : 'the previous secret, which still overlaps';
  if (!isLate(ageSeconds)) return { reason: 'verified', detail: `The signature verifies with ${which}.`, signedWith };
  return {
    reason: ageSeconds > 0 ? 'timestamp_too_old' : 'timestamp_in_future',
    detail: `The signature is right, made with ${which}. ${words.late(ageSeconds)}`,
    signedWith,
  };
}

const isLate = (ageSeconds: number | null): ageSeconds is number =>
  ageSeconds !== null && Math.abs(ageSeconds) > TOLERANCE_SECONDS;

const formatTime = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Returns what keeps the headers from being read at all; null when nothing does. */
function findUnreadable(
  form: SignatureForm,
  request: SignedRequest,
  { current }: CheckedSecrets,
  words: SignatureWords,
): Finding | null {
  const scheme = SCHEMES[form.provider];
  const { header } = request;
  const needed = scheme.headers(form, header);
  const missing = needed.filter((name) => !header(name));
  if (missing.length > 0) {
    const other = detectScheme(header);
    if (missing.includes(needed.at(-1) ?? '') && other !== null && other !== form.provider) {
      const names = SCHEMES[other].headers(form, header).join(', ');
      const detail = `The headers are those of another scheme, ${NAMES[other]} (${names}). ${NAMES[form.provider]} needs ${needed.join(', ')}.`;
      return { reason: 'other_scheme', detail };
    }
    const which =
      missing.length === 1 ? `The header ${missing[0]} is missing.` : `The headers ${missing.join(', ')} are missing.`;
    return { reason: 'missing_header', detail: `${which} ${words.missing}` };
  }
  if (needed.some((name) => header(name)?.includes('[redacted]'))) {
    if (algorithmOf(form) === 'token') {
      return current === null ? { reason: 'no_secret', detail: words.noToken } : words.redactedToken;
    }
    const detail =
      'The signature was redacted: this copy does not have what was received. Paste the headers from the receiver.';
    return { reason: 'redacted_header', detail };
  }
  const { seconds } = scheme.read(request, form);
  if (seconds === null || parseSeconds(seconds) !== null) return null;
  const isMilliseconds = /^\d{13}$/.test(seconds);
  const place = needed.at(-2) ?? `the list of ${needed.at(-1)}`;
  const detail = isMilliseconds
    ? 'The timestamp is in milliseconds; it must be in seconds, as it was sent.'
    : `The timestamp is not a time as it was sent. It is in ${place}.`;
  return { reason: 'malformed_header', detail };
}

const NO_FORM: SignatureForm = { provider: 'GENERIC_HMAC', header: '', encoding: 'hex', prefix: '' };

/** Those whose headers tell. Meta signs as GitHub does, in the same header. */
const KNOWN = (Object.keys(SCHEMES) as SignatureScheme[]).filter(
  (each) => !['GENERIC_HMAC', 'TOKEN', 'META'].includes(each),
);

/** Returns the scheme whose signature the headers have; null without a known one. */
export function detectScheme(header: HeaderReader): SignatureScheme | null {
  return KNOWN.find((each) => header(SCHEMES[each].headers(NO_FORM, header).at(-1) ?? '')) ?? null;
}

function malformedSignature(form: SignatureForm): Finding {
  const scheme = SCHEMES[form.provider];
  const mark = scheme.mark(form);
  const algorithm = algorithmOf(form);
  const bytes = algorithm === 'token' ? 0 : SIGNATURE_BYTES[algorithm];
  const digits = scheme.encoding(form) === 'hex' ? `${2 * bytes} hexadecimal digits` : `the base64 of ${bytes} bytes`;
  const written = `${mark === '' ? '' : `${mark} and `}${digits}`;
  return {
    reason: 'malformed_header',
    detail: `The signature in ${scheme.headers(form, () => null).at(-1)} is malformed or cut off: it must be ${written}.`,
  };
}

/** Returns the signatures of a request: as the scheme writes them, then as people write them by mistake. */
function candidatesOf(form: SignatureForm, signatures: readonly string[], header: HeaderReader): Candidate[] {
  const scheme = SCHEMES[form.provider];
  const encoding = scheme.encoding(form);
  const algorithm = algorithmOf(form);
  const exact = signatures
    .slice(0, MAX_SIGNATURES)
    .map((each) => ({ digest: decodeDigest(each, encoding, algorithm), fault: null }));
  const mark = scheme.mark(form);
  const value = header(scheme.headers(form, header).at(-1) ?? '') ?? '';
  const loose = [...value.matchAll(/[A-Za-z0-9+/_-]{27,128}={0,2}/g)]
    .slice(0, MAX_SIGNATURES)
    .flatMap(({ 0: text, index }) => {
      const isMarked = mark === '' ? index === 0 : value.slice(0, index).endsWith(mark);
      const unmarked = `The signature is right, but ${mark === '' ? 'something' : `not ${mark}`} stands before it in the header.`;
      const other = encoding === 'hex' ? 'base64' : 'hex';
      const found: Candidate[] = [
        {
          digest: decodeDigest(text, encoding, algorithm),
          fault: isMarked ? 'The header has something besides the signature, such as spaces or quotes.' : unmarked,
        },
        {
          digest: decodeDigest(text, other, algorithm),
          fault: `The signature is right, but in ${other} in place of ${encoding}.`,
        },
      ];
      const standard = text.replaceAll('-', '+').replaceAll('_', '/').replace(/=*$/, '');
      const url = standard.padEnd(4 * Math.ceil(standard.length / 4), '=');
      found.push({
        digest: decodeDigest(url, 'base64', algorithm),
        fault: 'The signature is right, but in base64url or without its padding, in place of base64.',
      });
      return found;
    });
  return [...exact, ...loose].filter(({ digest }) => digest.length > 0);
}

interface KeyMistake {
  key: string | Buffer;
  reason: 'secret_encoding' | 'secret_whitespace';
  detail: string;
}

/** Returns the keys that people make of a secret by mistake. */
function keyMistakes(form: SignatureForm, secret: string): KeyMistake[] {
  const { provider } = form;
  const scheme = SCHEMES[provider];
  // A public key is not secret, and has one form.
  if (algorithmOf(form) === 'ed25519') return [];
  const mistakes: KeyMistake[] = [];
  const trimmed = secret
    .trim()
    .replace(/^(["'])(.*)\1$/s, '$2')
    .trim();
  const unclean = 'The secret has white space or quotes around it: with them, it is another secret.';
  if (trimmed !== secret) {
    mistakes.push({ key: scheme.key(trimmed, form), reason: 'secret_whitespace', detail: unclean });
  }
  const bare = trimmed.replace(/^whsec_/, '');
  if (provider === 'STANDARD_WEBHOOKS') {
    const detail = 'It was signed with the text of the secret. The key is the part after whsec_, decoded from base64.';
    for (const key of [secret, trimmed, bare]) mistakes.push({ key, reason: 'secret_encoding', detail });
  } else {
    const decoded =
      'It was signed with the secret decoded from base64 or hex. The key is the text of the secret, as it is.';
    mistakes.push({ key: Buffer.from(bare, 'base64'), reason: 'secret_encoding', detail: decoded });
    if (/^(?:[0-9a-f]{2})+$/i.test(bare)) {
      mistakes.push({ key: Buffer.from(bare, 'hex'), reason: 'secret_encoding', detail: decoded });
    }
    if (bare !== secret) {
      const detail = 'It was signed with the part of the secret after whsec_. The key is the entire text.';
      mistakes.push({ key: bare, reason: 'secret_encoding', detail });
    }
  }
  for (const text of [`${trimmed}\n`, `${trimmed}\r\n`, ` ${trimmed}`, `${trimmed} `, `"${trimmed}"`]) {
    mistakes.push({
      key: text,
      reason: 'secret_whitespace',
      detail: 'It was signed with white space or quotes around the secret.',
    });
  }
  return mistakes;
}

/**
 * Says what happened to the body.
 * @param coversHeaders whether the signature covers headers too
 * @param isSigned returns which secret signed a body; undefined for none
 */
function* diagnoseBody(
  { body, sent = null, hmac }: CheckedRequest,
  coversHeaders: boolean,
  isSigned: (body: Buffer) => 'current' | 'previous' | undefined,
  words: SignatureWords,
): Generator<undefined, Finding> {
  const mistake = hmac ? null : yield* findBodyMistake(body, (each) => isSigned(each) !== undefined);
  if (mistake !== null) {
    const { reason, detail, body: signed } = mistake;
    const difference = firstDifference(signed, body);
    return { reason, detail: `${detail} ${words.correctBody}`, signedWith: isSigned(signed) ?? null, difference };
  }
  if (sent === null) {
    const changed = coversHeaders ? 'the body or a header that is signed too' : 'the body';
    return { reason: 'no_match', detail: words.noMatch(changed) };
  }
  const others = coversHeaders
    ? 'another secret signed it, or a header that is signed too was changed'
    : 'another secret signed it';
  if (sent.equals(body)) {
    const detail = sentences(`The body is byte for byte what was sent, so ${others}.`, words.correctSecret);
    return { reason: 'wrong_secret', detail };
  }
  const difference = firstDifference(sent, body);
  const signedWith = isSigned(sent);
  if (signedWith === undefined) {
    const detail = `The body is not what was sent, and the signature is not that of the sent body either: ${others}. ${words.correctBody}`;
    return { reason: 'no_match', detail, difference };
  }
  if (isSameJson(sent, body)) {
    const detail = `The body was parsed and serialized again: it is the same JSON in other bytes. ${words.correctBody}`;
    return { reason: 'body_reserialized', detail, signedWith, difference };
  }
  const isCut = sent.subarray(0, body.length).equals(body);
  const what = isCut
    ? `The body is cut off after ${body.length} of ${sent.length} bytes.`
    : 'The body was changed on its way.';
  return { reason: 'body_changed', detail: `${what} ${words.correctBody}`, signedWith, difference };
}

function isSameJson(left: Buffer, right: Buffer): boolean {
  if (left.length + right.length > MAX_COMPARED_BYTES) return false;
  try {
    return isDeepStrictEqual(JSON.parse(left.toString()), JSON.parse(right.toString()));
  } catch {
    // Not JSON, or nested too deeply to compare.
    return false;
  }
}
