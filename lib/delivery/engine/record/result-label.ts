import type { AttemptResult } from '@/lib/delivery/engine/types';
import type { AttemptResultLabel } from '@/lib/delivery/worker-counters';
import { classOfFailure, isTimeout } from '@/lib/platform/net/failure-reason';

/** Returns what an attempt led to, as the metric of attempts names it. */
export function resultLabelOf({ succeeded, error, responseStatus, requestParts }: AttemptResult): AttemptResultLabel {
  if (succeeded) return 'succeeded';
  if (requestParts === null) return 'not_sent';
  if (error !== null && isTimeout(error)) return 'timed_out';
  if (responseStatus === null || responseStatus < 300) return classOfFailure(error ?? '');
  if (responseStatus < 400) return 'redirect';
  return responseStatus < 500 ? 'client_error' : 'server_error';
}
