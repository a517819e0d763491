/** Why a sign-in through the provider came to nothing: `error` of the login page's query (CONTRACT 2 and 10). */
export const IDP_FAILURES = ['idp_denied', 'idp_failed', 'idp_email_unverified', 'idp_conflict'] as const;
export type IdpFailure = (typeof IDP_FAILURES)[number];
