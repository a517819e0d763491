import { sha256 } from '@/lib/platform/crypto';
import { AppError } from '@/lib/platform/errors';
import type { ApiResponse } from './api-response';
import type { ApiRequest } from './request';

const TAG_BYTES = 3;
const TAG_CHARS = 4;

/**
 * Returns the query with the tag of the list removed from its cursor. An empty cursor is none.
 * @throws AppError validation_failed when the cursor belongs to another list
 */
export function openCursor(request: ApiRequest): URLSearchParams {
  const given = request.query.get('cursor');
  if (given === null) return request.query;
  const query = new URLSearchParams(request.query);
  if (given === '') {
    query.delete('cursor');
    return query;
  }
  if (given.slice(-TAG_CHARS) !== tagOf(request)) {
    const errors = [{ path: 'cursor', message: 'is not a cursor of this list' }];
    throw new AppError('validation_failed', 'cursor: is not a cursor of this list', { errors });
  }
  query.set('cursor', given.slice(0, -TAG_CHARS));
  return query;
}

/** Adds the tag of the list to the cursor of a response. */
export function sealCursor(request: ApiRequest, response: ApiResponse): ApiResponse {
  const { body } = response;
  if (typeof body !== 'object' || body === null || !('nextCursor' in body)) return response;
  const { nextCursor } = body;
  return typeof nextCursor === 'string'
    ? { ...response, body: { ...body, nextCursor: nextCursor + tagOf(request) } }
    : response;
}

/** A list is a path with its ids, and its order: the same route of another project is another list. */
function tagOf({ route, params, query }: ApiRequest): string {
  const sort = query.get('sort');
  const list = JSON.stringify([route, Object.entries(params).sort(), ...(sort === null ? [] : [sort])]);
  return sha256(list).subarray(0, TAG_BYTES).toString('base64url');
}
