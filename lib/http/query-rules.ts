import { AppError } from '@/lib/platform/errors';
import { toWireResponse } from './dispatch';
import { toProblem } from './problem';
import type { WireResponse } from './wire-response';

/** Parameters of a request. No route has so many. Parsing 4,500 takes 0.24 ms, and Next parses them again. Counting takes 1 µs. */
const MAX_PARAMETERS = 100;

/** Returns the response to a request with too many parameters, which are not parsed; null when there are fewer. */
export function refuseQuery(rawQuery: string, requestId: string): WireResponse | null {
  let count = 1;
  for (let at = rawQuery.indexOf('&'); at !== -1 && count <= MAX_PARAMETERS; at = rawQuery.indexOf('&', at + 1)) {
    count += 1;
  }
  if (count <= MAX_PARAMETERS) return null;
  const refusal = new AppError('invalid_request', 'The request has more than 100 parameters.');
  return toWireResponse(toProblem(refusal, requestId), requestId);
}
