import { sha256 } from '@/lib/platform/crypto';
import type { ApiRequest } from './request';
import type { WireResponse } from './wire-response';

const TAG_CHARS = 22;
const START_OF_LIST = '{"data":[';

/**
 * Adds an ETag to a single resource, and answers 304 to a client that already has it (RFC 9110 section 13.1.2). Lists and
 * streams have none: a page of a list is rarely requested twice. A route may set the ETag of another content itself.
 *
 * @param strength weak if compressed responses share the tag (section 8.8.3.3)
 */
export function withEntityTag(request: ApiRequest, response: WireResponse, strength: 'strong' | 'weak'): WireResponse {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead || response.status !== 200) return response;
  const tag = response.headers.ETag ?? (isResource(response) ? tagOf(response.content as string | Uint8Array) : null);
  if (tag === null) return response;
  const headers: Record<string, string> = { ...response.headers, ETag: strength === 'weak' ? `W/${tag}` : tag };
  if (!matchesTag(request.header('if-none-match'), tag)) return { ...response, headers };
  const { 'Content-Type': _type, 'Content-Length': _length, ...kept } = headers;
  return { ...response, status: 304, headers: kept, content: null };
}

/** Returns a strong tag for content: the same for the same content, and only for that. */
export function tagOf(content: string | Uint8Array): string {
  return `"${sha256(content).toString('base64url').slice(0, TAG_CHARS)}"`;
}

/** Whether the content is a single resource in JSON. A list starts with `data`. */
function isResource({ content, headers }: WireResponse): boolean {
  if (content === null || content instanceof ReadableStream || headers['Content-Type'] !== 'application/json')
    return false;
  const start =
    typeof content === 'string' ? content : Buffer.from(content.subarray(0, START_OF_LIST.length)).toString();
  return !start.startsWith(START_OF_LIST);
}

/** Compares weakly, as RFC 9110 section 13.1.2 requires. A proxy that compresses also makes tags weak. */
export function matchesTag(given: string | null | undefined, tag: string): boolean {
  if (given === null || given === undefined) return false;
  const tags = given.split(',').map((each) => each.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(tag);
}
