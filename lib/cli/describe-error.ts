import { type ApiError, isApiError, NetworkError, TimeoutError } from '@/lib/client';
import { CliError, type CliErrorFields, EXIT, type ExitCode } from './cli-error';

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
