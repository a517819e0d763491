/** Set-Cookie gives away a session, and the others repeat what a client has sent. */
const CREDENTIAL =
  /^(?:set-cookie2?|cookie|(?:proxy-)?authorization|x-amz-security-token)$|(?:secret|password|api-?key|access-?token|auth-?token|csrf-?token|session-?id)$/;

/** Verdicts by name: the same few names occur in every message, and the expression is slow. */
const VERDICTS = new Map<string, boolean>();
const MAX_VERDICTS = 1_000;

/** Whether a header carries a credential, by its name. @param lower in lower case */
export function isCredentialName(lower: string): boolean {
  const known = VERDICTS.get(lower);
  if (known !== undefined) return known;
  const verdict = CREDENTIAL.test(lower);
  if (VERDICTS.size < MAX_VERDICTS && lower.length <= 64) VERDICTS.set(lower, verdict);
  return verdict;
}
