import type { ClientInfo } from '@/lib/platform/client-info';

/** A request as a definition sees it, whichever adapter brought it. */
export interface ApiRequest {
  method: string;
  /** The path template of the table, such as /api/v1/projects/{projectId}. */
  route: string;
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** A header's value, by its lower-case name; several of one name are joined with ", ". */
  header(name: string): string | null;
  /**
   * Reads the body, once. Stops while reading when it grows past the limit.
   * @throws AppError payload_too_large, invalid_request (the caller hung up)
   */
  readBody(limitBytes: number): Promise<Buffer>;
  client: ClientInfo;
  requestId: string;
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** The caller's own X-Request-Id where it is well formed, else a new one from `make` (CONTRACT 1). */
export function chooseRequestId(given: string | null | undefined, make: () => string): string {
  return given !== null && given !== undefined && REQUEST_ID.test(given) ? given : make();
}
