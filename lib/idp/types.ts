/** Why a sign-in through the provider failed: `error` in the query of the login page. */
export const IDP_FAILURES = [
  'idp_denied',
  'idp_failed',
  'idp_email_unverified',
  'idp_conflict',
  'registration_closed',
] as const;
export type IdpFailure = (typeof IDP_FAILURES)[number];
