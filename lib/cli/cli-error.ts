import { type ApiError, isApiError, NetworkError, TimeoutError } from '@/lib/client';

/** How the process ends. */
export const EXIT = {
  ok: 0,
  failure: 1,
  usage: 2,
  notFound: 3,
  notSignedIn: 4,
  forbidden: 5,
  rateLimited: 6,
  network: 7,
  /** Ctrl-C, as shells count signals: 128 + SIGINT. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export interface CliErrorFields {
  /** What happened, in one sentence. */
  message: string;
  /** Why; one or more sentences. */
  reason?: string | undefined;
  /** For scripts that read the error as JSON. */
  code: string;
  exitCode: ExitCode;
  /** What to do next: a command or a sentence. */
  next?: string | undefined;
  requestId?: string | undefined;
}

/** An error that the person at the terminal can act on. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly fields: CliErrorFields;

  constructor(
    message: string,
    code: string,
    { reason, exitCode = EXIT.failure, next, requestId }: Partial<CliErrorFields> = {},
  ) {
    super(message);
    this.fields = { message, reason, code, exitCode, next, requestId };
  }
}

/** Returns the error of an input that cannot be used. @param next what to do about it */
export function usageError(message: string, next?: string, reason?: string): CliError {
  return new CliError(message, 'usage', { reason, exitCode: EXIT.usage, next });
}

export function notSignedIn(message: string, reason?: string, next = 'eds login'): CliError {
  return new CliError(message, 'not_signed_in', { reason, exitCode: EXIT.notSignedIn, next });
}

/** Says what happened, why and what to do next. Errors that no command expects keep their message only. */
export function describeError(error: unknown): CliErrorFields {
  if (error instanceof CliError) return error.fields;
  if (isApiError(error)) return describeApiError(error);
  if (error instanceof NetworkError) return describeNetworkError(error);
  const message = error instanceof Error ? error.message : String(error);
  return { message, code: 'failure', exitCode: EXIT.failure };
}

const NEXT_BY_CODE: Record<string, string> = {
  token_expired: 'eds login',
  unauthenticated: 'eds login',
  invalid_refresh_token: 'eds login',
  invalid_api_key: 'Check EDS_API_KEY. Copy the key again, or create one with eds keys create.',
  api_key_expired: 'Create another key with eds keys create.',
  api_key_revoked: 'Create another key with eds keys create.',
  key_required: 'Use a key of the project: export EDS_API_KEY="$(eds keys create my-machine)"',
  person_required: 'Unset EDS_API_KEY and sign in: eds login',
  invalid_admin_token: 'Check EDS_ADMIN_TOKEN.',
};

function describeApiError(error: ApiError): CliErrorFields {
  const { status, code, detail, errors, requestId, retryAfterSeconds } = error;
  const faults = errors.map(({ path, message }) => (path === '' ? message : `${path} ${message}`));
  return {
    message: detail,
    code,
    exitCode: exitCodeOf(status),
    reason: faults.length === 0 ? undefined : `${faults.join('\n')}`,
    next: status === 429 && retryAfterSeconds !== null ? `Try again in ${retryAfterSeconds} s.` : NEXT_BY_CODE[code],
    requestId: requestId ?? undefined,
  };
}

function exitCodeOf(status: number): ExitCode {
  const known: Record<number, ExitCode> = {
    401: EXIT.notSignedIn,
    403: EXIT.forbidden,
    404: EXIT.notFound,
    429: EXIT.rateLimited,
  };
  return known[status] ?? EXIT.failure;
}

function describeNetworkError(error: NetworkError): CliErrorFields {
  const isTimeout = error instanceof TimeoutError;
  return {
    message: isTimeout ? 'The server didn’t respond in time.' : 'We couldn’t reach the server.',
    code: isTimeout ? 'timeout' : 'network',
    exitCode: EXIT.network,
    reason: error.message,
    next: /CERT|SIGNED|VERIFY/.test(error.faultCode ?? '')
      ? 'If you trust the server, set NODE_EXTRA_CA_CERTS to the file of its certificate authority.'
      : 'Check that the server is running and its URL is correct: eds config show',
  };
}
