/** Replaces the value of a header that carries a credential, or a signature for those who must not see it. */
export const REDACTED = '[redacted]';

/** Set-Cookie gives away a session, and the others repeat what a client has sent. "Tokens" are counted, not secret. */
const CREDENTIAL = /^(?:set-cookie2?|cookie)$|authorization|secret|passw(?:or)?d|token(?!s)|api-?key|session-?id$/;

/** Verdicts by name: the same few names occur in every message, and the expression is slow. */
const VERDICTS = new Map<string, boolean>();
const MAX_VERDICTS = 1_000;

/** Whether a header carries a credential, by its name. @param lower in lower case */
export function isCredentialName(lower: string): boolean {
  const known = VERDICTS.get(lower);
  if (known !== undefined) return known;
  // CGI programs do not tell x_api_key from x-api-key.
  const verdict = CREDENTIAL.test(lower.replaceAll('_', '-'));
  if (lower.length > 64) return verdict;
  // Invented names must not fill it for good.
  if (VERDICTS.size >= MAX_VERDICTS) VERDICTS.clear();
  VERDICTS.set(lower, verdict);
  return verdict;
}

/** webhook-signature, X-Hub-Signature-256, X-Shopify-Hmac-Sha256, PayPal-Transmission-Sig, verif-hash and their kind. */
const SIGNATURE = /signature|hmac|(?:^|[-_])(?:sig|hash)(?:$|[-_])/;

/**
 * Whether a header carries a signature, with which a request can be sent again.
 * @param lower in lower case
 * @param chosen the headers that a source checks or has checked, in any case
 */
export function isSignatureName(lower: string, chosen: readonly string[] = []): boolean {
  return SIGNATURE.test(lower) || chosen.some((name) => lower === name.toLowerCase());
}

/** Parameters have shorter names than headers. */
const SECRET_PARAMETER = /key(?!word)|credential|^(?:auth|bearer|code|jwt|otp|pass|pin|pwd|session|sid)$/;

/** No honest query has so many parameters. Each takes a microsecond, and a list has a hundred queries. */
const MAX_PARAMETERS = 200;

/** Between the parameters of a query, and around those of a URL within one of its values. */
const SEPARATOR = /([?#&;]|%(?:3f|23|26|3b))/i;

/**
 * Redacts the values of a query string's parameters that carry a credential or a signature, by their names, also those of a URL within a
 * value. One with more than 200 parameters is redacted as a whole.
 */
export function redactQuery(query: string): string {
  if (query.split(SEPARATOR, 2 * MAX_PARAMETERS + 1).length > 2 * MAX_PARAMETERS) return REDACTED;
  return mapSecrets(query, () => REDACTED);
}

/** Shorter values, such as `key=id`, tell nothing, and would be replaced in other words. */
const MIN_SECRET_CHARS = 6;
/** The start of a longer value is redacted: searching for a long one takes long. */
const MAX_SECRET_CHARS = 512;

/** Returns the values that `redactQuery` redacts, as they are written and as programs read them, in bytes as latin1. */
export function secretsInQuery(query: string): string[] {
  const values: string[] = [];
  mapSecrets(query, (value) => {
    if (value.length >= MIN_SECRET_CHARS) values.push(value.slice(0, MAX_SECRET_CHARS));
    return value;
  });
  return [...new Set(values.flatMap((value) => [value, decode(value), decode(value.replaceAll('+', ' '))]))];
}

/** Replaces the values of secret parameters. */
function mapSecrets(query: string, map: (value: string) => string): string {
  return query
    .split('&')
    .map((pair) => mapPair(pair, map))
    .join('&');
}

function mapPair(pair: string, map: (value: string) => string): string {
  const mark = pair.indexOf('=');
  const [name, value] = mark === -1 ? [pair, ''] : [pair.slice(0, mark), pair.slice(mark + 1)];
  if (value !== '' && isSecretParameter(name)) return `${name}=${map(value)}`;
  // Some programs also separate parameters with semicolons.
  if (pair.includes(';'))
    return pair
      .split(';')
      .map((each) => mapPair(each, map))
      .join(';');
  const [start = '', ...inner] = pair.split(SEPARATOR);
  return start + inner.map((each) => mapInner(each, map)).join('');
}

/** A parameter of a URL within a value, as it is written there. */
function mapInner(pair: string, map: (value: string) => string): string {
  const [, name = '', equals = '', value = ''] = /^(.*?)(=|%3d)(.+)$/is.exec(pair) ?? [];
  return value !== '' && isSecretParameter(name) ? name + equals + map(value) : pair;
}

function decode(value: string): string {
  return value.replaceAll(/%([0-9a-f]{2})/gi, (_escape, byte: string) =>
    String.fromCharCode(Number.parseInt(byte, 16)),
  );
}

/** No name of a secret is longer, and a long one takes long to look at. */
const MAX_NAME_CHARS = 200;

function isSecretParameter(name: string): boolean {
  const lower = decode(name.slice(0, MAX_NAME_CHARS)).toLowerCase();
  return isCredentialName(lower) || isSignatureName(lower) || SECRET_PARAMETER.test(lower);
}
