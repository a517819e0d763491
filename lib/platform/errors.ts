/**
 * All error codes with HTTP status and meaning. Problem documents and the page /docs/errors use them.
 */
export const ERRORS = {
  validation_failed: [400, 'The path, query, headers or body are invalid. `errors` names each field.'],
  unknown_event_type: [400, 'The project stores only events whose type its catalogue defines.'],
  schema_mismatch: [400, 'The data of the event differs from the schema of its type. `errors` names each difference.'],
  invalid_json: [400, 'The body isn’t UTF-8 JSON.'],
  invalid_request: [400, 'The request isn’t valid HTTP, or the connection closed before the body was complete.'],
  ambiguous_credentials: [
    400,
    'The request has more than one credential. Send Authorization or X-API-Key, and only once.',
  ],
  invalid_token: [400, 'The link from an email is unknown, used, replaced by a newer one, or expired.'],
  authorization_pending: [400, 'The device code hasn’t been approved yet. Keep polling.'],
  slow_down: [400, 'The device code is polled too often. Wait longer between polls.'],
  access_denied: [400, 'The person denied the device code.'],
  expired_token: [400, 'The device code has expired. Start again.'],
  invalid_grant: [400, 'The device code is unknown or has already been exchanged.'],
  unauthenticated: [401, 'The credential is missing or invalid.'],
  token_expired: [401, 'The access token has expired. Refresh it.'],
  invalid_credentials: [401, 'The email address or password is incorrect.'],
  invalid_refresh_token: [401, 'The refresh token is unknown or expired, or its session has ended.'],
  refresh_superseded: [401, 'The refresh token was already used. A newer one replaced it.'],
  invalid_portal_link: [401, 'The link to the portal was used, has expired, is of another project, or is unknown.'],
  invalid_api_key: [401, 'The API key is unknown.'],
  api_key_expired: [401, 'The API key has expired, or its grace period after rotation has ended.'],
  api_key_revoked: [401, 'The API key has been revoked.'],
  invalid_admin_token: [401, 'X-Platform-Admin-Token is missing or incorrect.'],
  invalid_signature: [401, 'The signature of the incoming event is invalid.'],
  forbidden: [403, 'Your role in the organization is too low.'],
  person_required: [403, 'API keys can’t do this. Sign in as a person.'],
  key_required: [403, 'Only an API key can do this.'],
  portal_required: [403, 'Only the token of a portal session can do this.'],
  read_only_key: [403, 'The API key is read-only. Use one with the READ_WRITE scope.'],
  cross_site_request: [403, 'The request came from another site.'],
  registration_closed: [403, 'New accounts need an invitation, or are closed.'],
  password_unconfirmed: [403, 'The password must first be confirmed with an emailed link.'],
  not_found: [404, 'The resource doesn’t exist, or you don’t have access to it.'],
  method_not_allowed: [405, 'The path doesn’t support this method. `Allow` lists those it supports.'],
  email_taken: [409, 'The email address already has an account.'],
  last_owner: [409, 'The last owner must transfer ownership first.'],
  idempotency_conflict: [409, 'The Idempotency-Key was used with a different body.'],
  key_already_rotated: [409, 'The API key has already been rotated. Rotate its replacement instead.'],
  key_revoked: [409, 'Revoked API keys can’t be rotated.'],
  key_expired: [409, 'Expired API keys can’t be rotated.'],
  request_not_kept: [409, 'The tunnel’s log stored only part of the request, so it can’t be replayed.'],
  tunnel_in_use: [409, 'Another client is connected to the tunnel. Connect with `takeover=true` to replace it.'],
  limit_reached: [409, 'You’ve reached a limit. `detail` names it and says what to do.'],
  conflict: [409, 'The request conflicts with the current state. `detail` says how.'],
  payload_too_large: [413, 'The body exceeds the size limit.'],
  unsupported_media_type: [415, 'The body must be sent as application/json.'],
  account_locked: [423, 'Too many failed sign-ins. Wait for Retry-After, or reset the password.'],
  upgrade_required: [426, 'The path accepts only the WebSocket protocol that `Upgrade` names.'],
  rate_limited: [429, 'Too many requests. Wait for Retry-After.'],
  internal_error: [500, 'Something failed on our side. Report the request ID.'],
  upgrade_unsupported: [501, 'Tunnels don’t support WebSocket connections.'],
  tunnel_offline: [502, 'No client is connected to the tunnel.'],
  tunnel_failed: [502, 'The tunnel’s client disconnected, or its response isn’t valid HTTP.'],
  tunnel_busy: [503, 'The tunnel has too many requests in flight. Wait for Retry-After.'],
  overloaded: [503, 'The service is overloaded. Wait for Retry-After.'],
  unavailable: [503, 'The database is unreachable. Wait for Retry-After.'],
  tunnel_timeout: [504, 'The local server behind the tunnel didn’t respond in time.'],
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

/** The error for a change that the cell which an organization has left did not store: a repeat is stored in the new one. */
export function justMoved(): AppError {
  const detail = 'The organization has just moved to another part of the database. Try again.';
  return new AppError('unavailable', detail, { retryAfterSeconds: 1 });
}

/** Returns the message of an error in one line. For an AggregateError without a message, that of its first error. */
export function oneLineOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [first] = error instanceof AggregateError ? error.errors : [];
  const message = error.message || (first instanceof Error ? first.message : error.name);
  return message.replace(/\s+/g, ' ').trim();
}
