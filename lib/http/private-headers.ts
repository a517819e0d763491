import { constantTimeEqual, randomToken } from '@/lib/platform/crypto';
import { once } from '@/lib/platform/globals';

/** What the web entry alone knows of a request. */
export interface PrivateFacts {
  clientAddress: string;
  requestId: string;
  /** What the client accepts; Next itself is not told, lest it compress an answer. */
  acceptEncoding?: string | null;
}

const NAMES = {
  clientAddress: 'x-eds-client-address',
  requestId: 'x-eds-request-id',
  acceptEncoding: 'x-eds-accept-encoding',
  proof: 'x-eds-proof',
} as const;

/** A secret of this process. Without the web entry (`next start`) a client writes the headers itself, and cannot know it. */
const proof = () => once('private-headers-proof', randomToken);

/** The headers that tell Next's handlers, which never see the socket, what the web entry knows. */
export function privateHeaders({ clientAddress, requestId, acceptEncoding }: PrivateFacts): Record<string, string> {
  return {
    [NAMES.clientAddress]: clientAddress,
    [NAMES.requestId]: requestId,
    [NAMES.proof]: proof(),
    ...(acceptEncoding ? { [NAMES.acceptEncoding]: acceptEncoding } : {}),
  };
}

/** Reads what `privateHeaders` has written; null when a client has. */
export function readPrivateHeaders(headers: Headers): PrivateFacts | null {
  const [clientAddress, requestId, given] = [NAMES.clientAddress, NAMES.requestId, NAMES.proof].map((name) =>
    headers.get(name),
  );
  if (!clientAddress || !requestId || !given || !constantTimeEqual(given, proof())) return null;
  return { clientAddress, requestId, acceptEncoding: headers.get(NAMES.acceptEncoding) };
}

/**
 * The Content-Encoding of an answer on its way through Next, which drops the header of that name and sends the bytes as they
 * are.
 */
export const PRIVATE_CONTENT_ENCODING = 'x-eds-content-encoding';

/** Whether a header is kept for the web entry: a client's own copy is dropped. */
export function isPrivateHeader(name: string): boolean {
  return name.startsWith('x-eds-');
}
