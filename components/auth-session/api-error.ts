/** An error in one field: `path` is the dotted path of the field, empty for the body itself. */
export interface FieldError {
  path: string;
  message: string;
}

/** An error response of the API. Status 0 means that there was no response. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  /** For support; null when the request did not reach the server. */
  readonly requestId: string | null;
  readonly errors: FieldError[];
  /** Whole seconds to wait before another attempt; null when the response has no Retry-After. */
  readonly retryAfterSeconds: number | null;

  constructor(fields: Pick<ApiError, 'status' | 'code' | 'detail'> & Partial<ApiError>) {
    super(fields.detail);
    this.status = fields.status;
    this.code = fields.code;
    this.detail = fields.detail;
    this.requestId = fields.requestId ?? null;
    this.errors = fields.errors ?? [];
    this.retryAfterSeconds = fields.retryAfterSeconds ?? null;
  }
}

/** Returns the error for a request without a response. */
export function networkError(): ApiError {
  return new ApiError({
    status: 0,
    code: 'network_error',
    detail: 'We couldn’t reach the server. Check your connection and try again.',
  });
}

/** Reads an error response: problem+json (RFC 9457), or any body that a proxy sent instead. Never throws. */
export async function parseApiError(response: Response): Promise<ApiError> {
  const body = await readObject(response);
  const text = (name: string) => (typeof body[name] === 'string' && body[name] !== '' ? body[name] : null);
  return new ApiError({
    status: response.status,
    code: text('code') ?? `http_${response.status}`,
    detail: text('detail') ?? text('title') ?? `The server responded with ${response.status}.`,
    requestId: text('requestId') ?? response.headers.get('X-Request-Id'),
    errors: readFieldErrors(body.errors),
    retryAfterSeconds: readRetryAfter(response.headers.get('Retry-After')),
  });
}

async function readObject(response: Response): Promise<Record<string, unknown>> {
  try {
    const body: unknown = await response.json();
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function readFieldErrors(value: unknown): FieldError[] {
  if (!Array.isArray(value)) return [];
  return value.filter(
    (fault): fault is FieldError =>
      typeof fault === 'object' &&
      fault !== null &&
      typeof fault.path === 'string' &&
      typeof fault.message === 'string',
  );
}

function readRetryAfter(header: string | null): number | null {
  return header !== null && /^\d+$/.test(header) ? Math.max(1, Number(header)) : null;
}

/** Returns what to show for any thrown value. Hides the messages of bugs. */
export function describeError(error: unknown): { detail: string; requestId: string | null } {
  if (error instanceof ApiError) return { detail: error.detail, requestId: error.requestId };
  return { detail: 'An unexpected error occurred. Try again, or reload the page.', requestId: null };
}

/** Whether a request is worth repeating: only without a response, after a rate limit, or after a server error. */
export function shouldRetry(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
}
