import { constantTimeEqual, randomToken } from '@/lib/platform/crypto';
import { once } from '@/lib/platform/globals';

/** What the web entry alone knows of a request. */
export interface PrivateFacts {
  clientAddress: string;
  requestId: string;
}

const NAMES = {
  clientAddress: 'x-eds-client-address',
  requestId: 'x-eds-request-id',
  proof: 'x-eds-proof',
} as const;

/** A secret of this process. Without the web entry (`next start`) a client writes the headers itself, and cannot know it. */
const proof = () => once('private-headers-proof', randomToken);

/** The headers that tell Next's handlers, which never see the socket, what the web entry knows. */
export function privateHeaders({ clientAddress, requestId }: PrivateFacts): Record<string, string> {
  return { [NAMES.clientAddress]: clientAddress, [NAMES.requestId]: requestId, [NAMES.proof]: proof() };
}

/** Reads what `privateHeaders` has written; null when a client has. */
export function readPrivateHeaders(headers: Headers): PrivateFacts | null {
  const [clientAddress, requestId, given] = [NAMES.clientAddress, NAMES.requestId, NAMES.proof].map((name) =>
    headers.get(name),
  );
  if (!clientAddress || !requestId || !given || !constantTimeEqual(given, proof())) return null;
  return { clientAddress, requestId };
}

/** Whether a header is kept for the web entry: a client's own copy is dropped. */
export function isPrivateHeader(name: string): boolean {
  return name.startsWith('x-eds-');
}
