import type { FieldFault } from '@/lib/platform/errors';
import { ApiError } from './errors';
import { parseObject, readText } from './read-body';
import { parseRetryAfter } from './retry-after';

const MAX_PROBLEM_BYTES = 64 * 1024;

/** Reads the problem document (RFC 9457) of a rejected request into an error. */
export async function readProblem(response: Response): Promise<ApiError> {
  const problem = parseObject(await readText(response, MAX_PROBLEM_BYTES));
  const { code, detail, requestId, errors } = problem ?? {};
  if (typeof code !== 'string' || typeof detail !== 'string') {
    return unexpectedResponse(
      response,
      'The response is not a problem document of the service: check baseUrl and proxies.',
    );
  }
  return new ApiError({
    ...headOf(response),
    code,
    detail,
    ...(typeof requestId === 'string' ? { requestId } : {}),
    errors: Array.isArray(errors) ? errors.filter(isFieldFault) : [],
  });
}

/** Returns the error for a response that the service does not make. */
export function unexpectedResponse(response: Response, detail: string): ApiError {
  return new ApiError({ ...headOf(response), code: 'unexpected_response', detail, errors: [] });
}

function headOf({ status, headers }: Response) {
  return {
    status,
    requestId: headers.get('x-request-id'),
    retryAfterSeconds: parseRetryAfter(headers.get('retry-after'), Date.now()),
  };
}

function isFieldFault(value: unknown): value is FieldFault {
  const { path, message } = (value ?? {}) as Partial<FieldFault>;
  return typeof path === 'string' && typeof message === 'string';
}
