import type { AttemptResult } from '@/lib/delivery/engine/types';
import { parseHeaderLines } from '@/lib/delivery/header-lines';
import type { Attempt, AttemptTiming, Exchanged } from '@/lib/delivery/schema';
import type { RedactSignatures } from './redact-signatures';

type ExchangeResult = Omit<AttemptResult, 'retryAfter' | 'startedAt'>;

/** A stored attempt. */
export interface AttemptRow extends Omit<ExchangeResult, 'timing'>, TimingRow {
  id: string;
  attemptNumber: number;
  startedAt: Date;
}

interface TimingRow {
  dnsUs: number | null;
  connectUs: number | null;
  tlsUs: number | null;
  firstByteUs: number | null;
}

/**
 * Converts a row to an attempt of the API, without its request.
 * @param redact redacts the signatures where the receiver repeats them; null shows them
 */
export function presentAttempt(row: AttemptRow, redact: RedactSignatures | null): Attempt {
  return {
    id: row.id,
    attemptNumber: row.attemptNumber,
    startedAt: row.startedAt.toISOString(),
    ...presentExchange({ ...row, timing: row, ...(redact === null ? {} : withoutSignatures(row, redact)) }),
  };
}

function withoutSignatures({ responseBody, responseHeaders }: AttemptRow, redact: RedactSignatures) {
  const lines = responseHeaders?.split('\n').map(redact).join('\n') ?? null;
  return { responseBody: responseBody === null ? null : redact(responseBody), responseHeaders: lines };
}

/** Converts the result of a request to what the API shows of it. */
export function presentExchange(result: ExchangeResult): Exchanged {
  const stored = result.responseHeaders === null ? null : parseHeaderLines(result.responseHeaders);
  return {
    durationMs: result.durationMs,
    responseStatus: result.responseStatus,
    responseBody: result.responseBody,
    responseHeaders: stored?.headers ?? null,
    responseHeadersTruncated: stored?.isCut ?? false,
    remoteAddress: result.remoteAddress,
    // Versions that did not measure stored no parts either, and an attempt that was not sent has none.
    timing: result.requestParts === null ? null : presentTiming(result.timing, result.remoteAddress),
    error: result.error,
    succeeded: result.succeeded,
  };
}

function presentTiming(
  { dnsUs, connectUs, tlsUs, firstByteUs }: TimingRow,
  remoteAddress: string | null,
): AttemptTiming {
  const isConnected = firstByteUs !== null || remoteAddress !== null;
  return {
    reusedConnection: isConnected && dnsUs === null && connectUs === null,
    dnsMs: toMs(dnsUs),
    connectMs: toMs(connectUs),
    tlsMs: toMs(tlsUs),
    firstByteMs: toMs(firstByteUs),
  };
}

/** One digit after the point for a long time, two for one below a millisecond. */
function toMs(us: number | null): number | null {
  if (us === null) return null;
  return us < 1_000 ? Math.round(us / 10) / 100 : Math.round(us / 100) / 10;
}
