import type { ClientInfo } from '@/lib/platform/client-info';
import type { HeaderPairs } from '@/lib/platform/net/header-pairs';
import type { UseBody } from './body-reader';

/** A request as routes see it, independent of the adapter. */
export interface ApiRequest {
  method: string;
  /** The path template, such as /api/v1/projects/{projectId}. */
  route: string;
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** The query string without its question mark, as it was sent on node:http; empty without one. */
  rawQuery: string;
  /** Returns a header by its lower-case name. Repeated headers are joined with ", ". */
  header(name: string): string | null;
  /** Lists all headers by lower-case name, in the order in which they arrived. Repeated ones stay apart on node:http. */
  listHeaders(): HeaderPairs;
  /**
   * Reads the body and uses it. Call it once. Stops reading when the body exceeds the limit.
   * @throws AppError payload_too_large, invalid_request (the client disconnected), overloaded
   */
  readBody<T>(limitBytes: number, use: UseBody<T>): Promise<T>;
  client: ClientInfo;
  requestId: string;
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** Returns the client's X-Request-Id if it is well formed, else a new one from `make`. */
export function chooseRequestId(given: string | null | undefined, make: () => string): string {
  return given !== null && given !== undefined && REQUEST_ID.test(given) ? given : make();
}
