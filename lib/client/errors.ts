import type { ErrorCode, FieldFault } from '@/lib/platform/errors';

/**
 * A code of the API, or `unexpected_response` for a response that the API does not make, such as a proxy's page. A newer server
 * may send a code that this version does not list.
 */
export type ApiErrorCode = ErrorCode | 'unexpected_response' | (string & {});

/** What a response says about its error. */
export interface ApiErrorFields {
  code: ApiErrorCode;
  status: number;
  /** What is wrong and what to do. */
  detail: string;
  /** Report it to the operator of the service; null when the response has none. */
  requestId: string | null;
  /** The fields that are not valid; empty unless the status is 400. */
  errors: readonly FieldFault[];
  /** Seconds to wait before another request; null without Retry-After. */
  retryAfterSeconds: number | null;
}

/** The server rejected a request, or its response cannot be used. It holds no header and no body of the request. */
export class ApiError extends Error implements ApiErrorFields {
  override readonly name = 'ApiError';
  readonly code: ApiErrorCode;
  readonly status: number;
  readonly detail: string;
  readonly requestId: string | null;
  readonly errors: readonly FieldFault[];
  readonly retryAfterSeconds: number | null;

  constructor(fields: ApiErrorFields) {
    super(`${fields.detail} (${fields.code}, HTTP ${fields.status})`);
    this.code = fields.code;
    this.status = fields.status;
    this.detail = fields.detail;
    this.requestId = fields.requestId;
    this.errors = fields.errors;
    this.retryAfterSeconds = fields.retryAfterSeconds;
  }

  /** Returns the fields for a log. */
  toJSON(): ApiErrorFields & { name: string } {
    const { name, code, status, detail, requestId, errors, retryAfterSeconds } = this;
    return { name, code, status, detail, requestId, errors, retryAfterSeconds };
  }
}

/** Tells whether an error is an ApiError, with that code if one is given. It also recognizes errors of another copy of this package. */
export function isApiError<C extends ApiErrorCode>(error: unknown, code?: C): error is ApiError & { code: C } {
  if (!(error instanceof Error) || error.name !== 'ApiError' || !('code' in error)) return false;
  return code === undefined || error.code === code;
}

/** No complete response arrived. The server may or may not have processed the request. */
export class NetworkError extends Error {
  override readonly name: string = 'NetworkError';

  // Nothing else of the error of fetch is kept: a custom fetch may put headers, and so credentials, into it.
  constructor(
    message: string,
    /** The system's code of the fault, such as ECONNRESET; null where it is not known. */
    readonly faultCode: string | null,
  ) {
    super(message);
  }

  /** Returns the fields for a log. */
  toJSON(): { name: string; message: string; faultCode: string | null } {
    return { name: this.name, message: this.message, faultCode: this.faultCode };
  }
}

/** No complete response arrived within `timeoutMs`. */
export class TimeoutError extends NetworkError {
  override readonly name = 'TimeoutError';
}
