import { constantTimeEqual, randomToken } from '@/lib/platform/crypto';
import { once } from '@/lib/platform/globals';

/** What only the web entry knows about a request. */
export interface PrivateRequestInfo {
  clientAddress: string;
  requestId: string;
  /** The client's Accept-Encoding, hidden from Next, which would compress the response. */
  acceptEncoding?: string | null;
}

const NAMES = {
  clientAddress: 'x-eds-client-address',
  requestId: 'x-eds-request-id',
  acceptEncoding: 'x-eds-accept-encoding',
  proof: 'x-eds-proof',
} as const;

/** A secret of this process: under `next start`, without the web entry, clients could send these headers themselves. */
const proof = () => once('private-headers-proof', randomToken);

/** Returns the headers that pass these facts to Next's handlers, which never see the socket. */
export function privateHeaders({
  clientAddress,
  requestId,
  acceptEncoding,
}: PrivateRequestInfo): Record<string, string> {
  return {
    [NAMES.clientAddress]: clientAddress,
    [NAMES.requestId]: requestId,
    [NAMES.proof]: proof(),
    ...(acceptEncoding ? { [NAMES.acceptEncoding]: acceptEncoding } : {}),
  };
}

/** Reads the headers of `privateHeaders`; null when a client sent them. */
export function readPrivateHeaders(headers: Headers): PrivateRequestInfo | null {
  const [clientAddress, requestId, given] = [NAMES.clientAddress, NAMES.requestId, NAMES.proof].map((name) =>
    headers.get(name),
  );
  if (!clientAddress || !requestId || !given || !constantTimeEqual(given, proof())) return null;
  return { clientAddress, requestId, acceptEncoding: headers.get(NAMES.acceptEncoding) };
}

/**
 * Carries the Content-Encoding of a response through Next, which drops the real header and sends the bytes unchanged.
 */
export const PRIVATE_CONTENT_ENCODING = 'x-eds-content-encoding';

/** Carries the size of large content through Next to the turn of the request. No client sees it. */
export const PRIVATE_CONTENT_BYTES = 'x-eds-content-bytes';

/** Whether only the web entry may set a header. Copies from a client are dropped. */
export function isPrivateHeader(name: string): boolean {
  return name.startsWith('x-eds-');
}
