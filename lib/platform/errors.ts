/**
 * Every error code a caller can meet: its HTTP status and what it means. The one place where a code gets either; problem
 * documents and the page /docs/errors are made from it.
 */
export const ERRORS = {
  validation_failed: [400, 'A field of the path, query, headers or body is not valid; `errors` names each.'],
  invalid_json: [400, 'The body is not JSON in UTF-8.'],
  invalid_request: [400, 'The request broke off before its body had arrived.'],
  ambiguous_credentials: [400, 'Authorization and X-API-Key came together: send one.'],
  invalid_token: [400, 'A link from a mail is unknown, used, superseded by a newer one, or expired.'],
  authorization_pending: [400, 'The device code has not been approved yet: keep polling.'],
  slow_down: [400, 'The device code is polled too often: wait longer between two polls.'],
  access_denied: [400, 'The person denied the device code.'],
  expired_token: [400, 'The device code has expired: start again.'],
  invalid_grant: [400, 'The device code is unknown or was exchanged already.'],
  unauthenticated: [401, 'No credential came, or one that is not valid.'],
  token_expired: [401, 'The access token has expired: refresh it.'],
  invalid_credentials: [401, 'Address and password do not belong together.'],
  invalid_refresh_token: [401, 'The refresh token is unknown, expired, or its session has ended.'],
  refresh_superseded: [401, 'The refresh token was used before; a newer one has taken its place.'],
  invalid_api_key: [401, 'The API key is unknown.'],
  api_key_expired: [401, 'The API key has expired, or its grace period after a rotation has ended.'],
  api_key_revoked: [401, 'The API key has been revoked.'],
  invalid_admin_token: [401, 'X-Platform-Admin-Token is missing or wrong.'],
  invalid_signature: [401, 'The signature of an incoming event does not verify.'],
  forbidden: [403, 'Your role in the organization is too low.'],
  person_required: [403, 'An API key cannot do this: sign in as a person.'],
  key_required: [403, 'Only an API key can do this.'],
  read_only_key: [403, 'The API key may only read.'],
  cross_site_request: [403, 'The request came from the page of another site.'],
  password_unconfirmed: [403, 'The password has to be confirmed by the link in a mail first.'],
  not_found: [404, 'There is nothing at this path, or it is not yours.'],
  method_not_allowed: [405, 'The path does not have this verb; `Allow` names those it has.'],
  email_taken: [409, 'The address has an account already.'],
  last_owner: [409, 'The last owner has to hand over ownership first.'],
  idempotency_conflict: [409, 'The Idempotency-Key was used with another body.'],
  key_already_rotated: [409, 'The API key was rotated before: rotate its replacement.'],
  key_revoked: [409, 'A revoked API key cannot be rotated.'],
  key_expired: [409, 'An expired API key cannot be rotated.'],
  limit_reached: [409, 'There are as many of these as there may be; `detail` names the limit and what to do.'],
  conflict: [409, 'The request contradicts the present state; `detail` says how.'],
  payload_too_large: [413, 'The body is over the limit.'],
  unsupported_media_type: [415, 'The body must be sent as application/json.'],
  account_locked: [423, 'Too many failed sign-ins: wait for Retry-After, or reset the password.'],
  rate_limited: [429, 'Too many requests: wait for Retry-After.'],
  internal_error: [500, 'A fault of ours: quote the request id.'],
  tunnel_offline: [502, 'Nobody listens on this tunnel at present.'],
  overloaded: [503, 'More is being asked than can be done: wait for Retry-After.'],
  unavailable: [503, 'The database cannot be reached just now: wait for Retry-After.'],
} as const satisfies Record<string, readonly [status: number, meaning: string]>;

export type ErrorCode = keyof typeof ERRORS;

/** The HTTP status of a code. */
export function statusOfError(code: ErrorCode): number {
  return ERRORS[code][0];
}

/** One fault of a request: `path` is the dotted path of the field, empty for the whole body. */
export interface FieldFault {
  path: string;
  message: string;
}

export interface AppErrorOptions {
  /** For validation_failed: what is wrong where. */
  errors?: FieldFault[];
  /** Whole seconds, at least 1, sent as Retry-After. */
  retryAfterSeconds?: number;
  /** Further members of the problem document (RFC 9457 section 3.2). */
  extra?: Record<string, unknown>;
  /** Headers the answer needs, such as Allow. */
  headers?: Record<string, string>;
  /** Set-Cookie values the refusal carries. */
  cookies?: string[];
}

/** The only error a domain throws on purpose. `detail` is shown to the caller: no secret, no SQL, no foreign id. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly options: AppErrorOptions;

  constructor(code: ErrorCode, detail: string, options: AppErrorOptions = {}) {
    super(detail);
    this.code = code;
    this.options = options;
  }

  get status(): number {
    return statusOfError(this.code);
  }
}

/** Recognises an AppError by shape: `instanceof` does not hold across the two copies of a module in the web process. */
export function isAppError(error: unknown): error is AppError {
  return error instanceof Error && error.name === 'AppError' && 'code' in error && (error.code as string) in ERRORS;
}

/** validation_failed for one field. */
export function fieldError(path: string, message: string): AppError {
  return new AppError('validation_failed', `${path}: ${message}`, { errors: [{ path, message }] });
}

/** The one answer for what does not exist and for what is not the caller's (tenancy). */
export function notFound(what: string): AppError {
  return new AppError('not_found', `No such ${what}.`);
}

/** The message of an error, in one line. Of an address that was tried in several ways, that of the first. */
export function oneLineOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [first] = error instanceof AggregateError ? error.errors : [];
  const message = error.message || (first instanceof Error ? first.message : error.name);
  return message.replace(/\s+/g, ' ').trim();
}
