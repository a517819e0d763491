/** Every error code a caller can meet, with its HTTP status. The one place where a code gets its status. */
export const ERROR_STATUS = {
  validation_failed: 400,
  invalid_json: 400,
  invalid_request: 400,
  ambiguous_credentials: 400,
  invalid_token: 400,
  authorization_pending: 400,
  slow_down: 400,
  access_denied: 400,
  expired_token: 400,
  invalid_grant: 400,
  unauthenticated: 401,
  token_expired: 401,
  invalid_credentials: 401,
  invalid_refresh_token: 401,
  refresh_superseded: 401,
  invalid_api_key: 401,
  api_key_expired: 401,
  api_key_revoked: 401,
  invalid_admin_token: 401,
  invalid_signature: 401,
  forbidden: 403,
  person_required: 403,
  key_required: 403,
  read_only_key: 403,
  cross_site_request: 403,
  password_unconfirmed: 403,
  not_found: 404,
  method_not_allowed: 405,
  email_taken: 409,
  last_owner: 409,
  idempotency_conflict: 409,
  key_already_rotated: 409,
  key_revoked: 409,
  key_expired: 409,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  account_locked: 423,
  rate_limited: 429,
  internal_error: 500,
  tunnel_offline: 502,
  overloaded: 503,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

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
    return ERROR_STATUS[this.code];
  }
}

/** Recognises an AppError by shape: `instanceof` does not hold across the two copies of a module in the web process. */
export function isAppError(error: unknown): error is AppError {
  return (
    error instanceof Error && error.name === 'AppError' && 'code' in error && (error.code as string) in ERROR_STATUS
  );
}

/** validation_failed for one field. */
export function fieldError(path: string, message: string): AppError {
  return new AppError('validation_failed', `${path}: ${message}`, { errors: [{ path, message }] });
}

/** The one answer for what does not exist and for what is not the caller's (tenancy). */
export function notFound(what: string): AppError {
  return new AppError('not_found', `No such ${what}.`);
}
