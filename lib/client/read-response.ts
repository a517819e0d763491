import type { Page } from './list-request';
import { unexpectedResponse } from './problem';
import { parseObject, readText } from './read-body';

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
