import type { FieldFault } from '@/lib/platform/errors';
import { ApiError } from './errors';
import type { Page } from './list-request';
import { parseRetryAfter } from './retry-policy';

const MAX_PROBLEM_BYTES = 64 * 1024;
const NOT_UTF8 = new Error('not UTF-8');

/** The largest response that is read into memory. A page has at most 100 rows. */
export const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;

/**
 * Reads a JSON object.
 * @throws ApiError unexpected_response when the body is something else, is too large, or lacks a text of `needs`
 */
export async function readObject<T extends object>(response: Response, needs: readonly string[]): Promise<T> {
  const object = parseObject(await readText(response, MAX_RESPONSE_BYTES));
  if (object === null) {
    const detail = `The response is not a JSON object of at most ${MAX_RESPONSE_BYTES} bytes: check baseUrl and proxies.`;
    throw unexpectedResponse(response, detail);
  }
  const missing = needs.find((name) => typeof object[name] !== 'string');
  if (missing !== undefined) throw unexpectedResponse(response, `The response lacks ${missing}.`);
  return object as T;
}

/** Reads a page of a list. @throws ApiError unexpected_response when the body is something else */
export async function readPage<T>(response: Response): Promise<Page<T>> {
  const page = await readObject<Partial<Page<T>>>(response, []);
  const { data, nextCursor } = page;
  if (!Array.isArray(data) || (nextCursor !== null && typeof nextCursor !== 'string')) {
    throw unexpectedResponse(response, 'The response is not a page of a list: it lacks data or nextCursor.');
  }
  return { data, nextCursor };
}

/** Drops a body that nobody reads, so that the connection is free. */
export async function readNothing(response: Response): Promise<void> {
  // Not awaited: the body of a cloned response is canceled only when its clone is canceled too.
  void response.body?.cancel().catch(() => {});
}

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

/**
 * Reads a body of at most `limitBytes` as text, and cancels the rest.
 * @returns null when the body is larger or not UTF-8
 */
export async function readText(response: Response, limitBytes: number): Promise<string | null> {
  const reader = response.body?.getReader();
  if (reader === undefined) return '';
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let bytes = 0;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      bytes += part.value.length;
      if (bytes > limitBytes) return null;
      text += decode(decoder, part.value);
    }
    return text + decode(decoder);
  } catch (fault) {
    if (fault === NOT_UTF8) return null;
    throw fault;
  } finally {
    // Frees the connection; it does nothing after the end of the body.
    void reader.cancel().catch(() => {});
  }
}

function decode(decoder: TextDecoder, bytes?: Uint8Array): string {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined });
  } catch {
    throw NOT_UTF8;
  }
}

/** Parses text that must be a JSON object; null for anything else. */
export function parseObject(text: string | null): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
