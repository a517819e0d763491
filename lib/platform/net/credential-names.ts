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
  if (VERDICTS.size < MAX_VERDICTS && lower.length <= 64) VERDICTS.set(lower, verdict);
  return verdict;
}

/** webhook-signature, X-Hub-Signature-256, X-Shopify-Hmac-Sha256, PayPal-Transmission-Sig, verif-hash and their kind. */
const SIGNATURE = /signature|hmac|(?:^|[-_])(?:sig|hash)(?:$|[-_])/;

/**
 * Whether a header carries a signature, with which a request can be sent again.
 * @param lower in lower case
 * @param chosen the header that a source checks, in any case
 */
export function isSignatureName(lower: string, chosen: string | null = null): boolean {
  return SIGNATURE.test(lower) || lower === chosen?.toLowerCase();
}

/** Parameters have shorter names than headers. */
const SECRET_PARAMETER = /key(?!word)|^(?:code|auth)$/;

/** Redacts the values of a query string's parameters that carry a credential or a signature, by their names. */
export function redactQuery(query: string): string {
  return query.replaceAll(/([^&=]+)=([^&]+)/g, (pair, name: string) => {
    const lower = decodeName(name).toLowerCase();
    const isSecret = isCredentialName(lower) || isSignatureName(lower) || SECRET_PARAMETER.test(lower);
    return isSecret ? `${name}=${REDACTED}` : pair;
  });
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
