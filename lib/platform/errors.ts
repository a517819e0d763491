/**
 * All error codes with HTTP status and meaning. Problem documents and the page /docs/errors use them.
 */
export const ERRORS = {
  validation_failed: [400, 'A field of the path, query, headers or body is not valid; `errors` names each.'],
  invalid_json: [400, 'The body is not JSON in UTF-8.'],
  invalid_request: [400, 'The request is not valid HTTP, or the connection closed before the body was complete.'],
  ambiguous_credentials: [400, 'The request has both Authorization and X-API-Key: send one.'],
  invalid_token: [400, 'A link from a mail is unknown, used, superseded by a newer one, or expired.'],
  authorization_pending: [400, 'The device code has not been approved yet: keep polling.'],
  slow_down: [400, 'The device code is polled too often: wait longer between two polls.'],
  access_denied: [400, 'The person denied the device code.'],
  expired_token: [400, 'The device code has expired: start again.'],
  invalid_grant: [400, 'The device code is unknown or was exchanged already.'],
  unauthenticated: [401, 'The credential is missing or not valid.'],
  token_expired: [401, 'The access token has expired: refresh it.'],
  invalid_credentials: [401, 'The email address or the password is wrong.'],
  invalid_refresh_token: [401, 'The refresh token is unknown, expired, or its session has ended.'],
  refresh_superseded: [401, 'The refresh token was already used; a newer one has replaced it.'],
  invalid_api_key: [401, 'The API key is unknown.'],
  api_key_expired: [401, 'The API key has expired, or its grace period after a rotation has ended.'],
  api_key_revoked: [401, 'The API key has been revoked.'],
  invalid_admin_token: [401, 'X-Platform-Admin-Token is missing or wrong.'],
  invalid_signature: [401, 'The signature of an incoming event does not verify.'],
  forbidden: [403, 'Your role in the organization is too low.'],
  person_required: [403, 'An API key cannot do this: sign in as a person.'],
  key_required: [403, 'Only an API key can do this.'],
  read_only_key: [403, 'The API key can only read: use one with the scope READ_WRITE.'],
  cross_site_request: [403, 'The request came from the page of another site.'],
  password_unconfirmed: [403, 'The password must first be confirmed with the link in a mail.'],
  not_found: [404, 'There is nothing at this path, or it is not yours.'],
  method_not_allowed: [405, 'The path does not support this verb; `Allow` lists those it supports.'],
  email_taken: [409, 'The address already has an account.'],
  last_owner: [409, 'The last owner must first transfer ownership.'],
  idempotency_conflict: [409, 'The Idempotency-Key was used with another body.'],
  key_already_rotated: [409, 'The API key was already rotated: rotate its replacement.'],
  key_revoked: [409, 'A revoked API key cannot be rotated.'],
  key_expired: [409, 'An expired API key cannot be rotated.'],
  request_not_kept: [409, 'The log of the tunnel kept the request in part only, so it cannot be replayed.'],
  tunnel_in_use: [409, 'Another client is connected to the tunnel: connect with `takeover=true` to replace it.'],
  limit_reached: [409, 'The limit on these is reached; `detail` names it and says what to do.'],
  conflict: [409, 'The request conflicts with the current state; `detail` says how.'],
  payload_too_large: [413, 'The body is over the limit.'],
  unsupported_media_type: [415, 'The body must be sent as application/json.'],
  account_locked: [423, 'Too many failed sign-ins: wait for Retry-After, or reset the password.'],
  upgrade_required: [426, 'The path speaks only the WebSocket protocol that `Upgrade` names.'],
  rate_limited: [429, 'Too many requests: wait for Retry-After.'],
  internal_error: [500, 'The service failed: report the request id.'],
  upgrade_unsupported: [501, 'WebSocket connections do not pass through a tunnel.'],
  tunnel_offline: [502, 'No client is connected to the tunnel.'],
  tunnel_failed: [502, 'The client of the tunnel broke off, or its response is not valid HTTP.'],
  tunnel_busy: [503, 'Too many requests are in flight in the tunnel: wait for Retry-After.'],
  overloaded: [503, 'The service is overloaded: wait for Retry-After.'],
  unavailable: [503, 'The database is not reachable: wait for Retry-After.'],
  tunnel_timeout: [504, 'The local server behind the tunnel did not respond in time.'],
} as const satisfies Record<string, readonly [status: number, meaning: string]>;

export type ErrorCode = keyof typeof ERRORS;

/** The HTTP status of a code. */
export function statusOfError(code: ErrorCode): number {
  return ERRORS[code][0];
}

/** One error of a request: `path` is the dotted path of the field, empty for the entire body. */
export interface FieldFault {
  path: string;
  message: string;
}

interface AppErrorOptions {
  /** For validation_failed. */
  errors?: FieldFault[];
  /** Whole seconds, at least 1, sent as Retry-After. */
  retryAfterSeconds?: number;
  /** Additional members of the problem document (RFC 9457 section 3.2). */
  extra?: Record<string, unknown>;
  /** Headers of the response, such as Allow. */
  headers?: Record<string, string>;
  /** Set-Cookie values of the response. */
  cookies?: string[];
}

/** The only error that a domain throws on purpose. The caller sees `detail`: no secret, no SQL, no id of another tenant. */
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

/** Recognizes an AppError by shape: `instanceof` fails across the two copies of this module in the web process. */
export function isAppError(error: unknown): error is AppError {
  return error instanceof Error && error.name === 'AppError' && 'code' in error && (error.code as string) in ERRORS;
}

/** validation_failed for one field. */
export function fieldError(path: string, message: string): AppError {
  return new AppError('validation_failed', `${path}: ${message}`, { errors: [{ path, message }] });
}

/** The same error for a resource that does not exist and for one of another tenant. */
export function notFound(what: string): AppError {
  return new AppError('not_found', `No such ${what}.`);
}

/** Returns the message of an error in one line. For an AggregateError without a message, that of its first error. */
export function oneLineOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [first] = error instanceof AggregateError ? error.errors : [];
  const message = error.message || (first instanceof Error ? first.message : error.name);
  return message.replace(/\s+/g, ' ').trim();
}
