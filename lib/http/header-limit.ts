import type { IncomingMessage } from 'node:http';
import { AppError } from '@/lib/platform/errors';
import { toWireResponse } from './dispatch';
import { toProblem } from './problem';
import type { WireResponse } from './wire-response';

/** Headers of a request. Node would leave out the others, such as a length that it has read, or the address of a proxy. */
const MAX_HEADERS = 1_000;

/** Returns the response to a request with too many headers; null when it has not. */
export function refuseManyHeaders({ rawHeaders }: IncomingMessage, requestId: string): WireResponse | null {
  // Names and values.
  if (rawHeaders.length <= 2 * MAX_HEADERS) return null;
  const headers = { Connection: 'close' };
  const refusal = new AppError('invalid_request', 'The request has more than 1,000 headers.', { headers });
  return toWireResponse(toProblem(refusal, requestId), requestId);
}
