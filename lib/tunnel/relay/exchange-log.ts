import { type AppError, type ErrorCode, isAppError } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import type { RequestHead, ResponseHead } from '@/lib/tunnel/protocol/heads';
import { redactExchange } from '@/lib/tunnel/request-log/redact-exchange';
import type { PublicTunnel } from '@/lib/tunnel/types';
import { countTunnelRequest } from './count-request';
import { Capture } from './public/capture';
import type { RelaySettings, TunnelRecords } from './relay-types';

interface ExchangeLogOptions {
  tunnel: Pick<PublicTunnel, 'id' | 'projectId'>;
  head: RequestHead;
  replayOf: string | null;
  /** The lower-case name of the header with the credential of a forward; null without one. */
  credential: string | null;
  records: Pick<TunnelRecords, 'recordTunnelRequest'>;
  settings: Pick<RelaySettings, 'logBodyBytes' | 'logHeaders'>;
  /** Whether all of the body was read. */
  isBodyComplete(): boolean;
}

/** The one who asked may not enter. The log keeps nothing that the request carried. */
const NO_ENTRY: readonly ErrorCode[] = ['forbidden', 'unauthenticated'];
/** The request was answered without the local server, by a rule that it broke. Other errors are not its own fault. */
const REFUSALS: readonly ErrorCode[] = [...NO_ENTRY, 'payload_too_large', 'upgrade_unsupported'];

/** Follows a request through a tunnel, for its entry in the log. */
export class ExchangeLog {
  readonly id = newId();
  readonly request: Capture;
  readonly response: Capture;
  private readonly startedAt = new Date();
  private readonly startedMs = performance.now();
  private responseHead: ResponseHead | null = null;

  constructor(private readonly options: ExchangeLogOptions) {
    this.request = new Capture(options.settings.logBodyBytes);
    this.response = new Capture(options.settings.logBodyBytes);
  }

  /** Call this when the local server starts to respond. */
  responded(head: ResponseHead): void {
    this.responseHead = head;
  }

  /** Records the request. @param error what ended it early; null when it is complete */
  finish(error: unknown): void {
    const { tunnel, head, replayOf, records } = this.options;
    const code = codeOf(error);
    countTunnelRequest(code ?? 'relayed');
    records.recordTunnelRequest({
      id: this.id,
      tunnelId: tunnel.id,
      projectId: tunnel.projectId,
      startedAt: this.startedAt,
      method: head.method,
      path: head.path,
      responseStatus: this.responseHead?.status ?? refusalStatusOf(error),
      durationMs: Math.round(performance.now() - this.startedMs),
      responseSize: this.responseHead === null ? null : this.response.size,
      error: code,
      ...this.parts(code),
      replayOf,
    });
  }

  private parts(code: ErrorCode | null) {
    const { head, settings, credential, isBodyComplete } = this.options;
    const isComplete = !head.hasBody || isBodyComplete();
    const requestSize = isComplete ? this.request.size : Math.max(this.request.size, declaredBytesOf(head));
    const responseHeaders = settings.logHeaders ? (this.responseHead?.headers ?? null) : null;
    const responseBody = this.responseHead === null ? null : this.response.body();
    const response = { responseHeaders, responseBody };
    if (isOneOf(NO_ENTRY, code)) return { requestSize, requestHeaders: null, requestBody: null, ...response };
    const requestBody = this.request.body(isComplete);
    const kept = redactExchange({ requestHeaders: head.headers, ...response }, credential);
    return { requestSize, requestBody, ...kept, requestHeaders: settings.logHeaders ? kept.requestHeaders : [] };
  }
}

function codeOf(error: unknown): ErrorCode | null {
  if (error === null) return null;
  return isAppError(error) ? error.code : 'internal_error';
}

function refusalStatusOf(error: unknown): number | null {
  return isOneOf(REFUSALS, codeOf(error)) ? (error as AppError).status : null;
}

function isOneOf(codes: readonly ErrorCode[], code: ErrorCode | null): boolean {
  return code !== null && codes.includes(code);
}

function declaredBytesOf({ headers }: RequestHead): number {
  const length = headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1];
  return Number(length ?? 0) || 0;
}
