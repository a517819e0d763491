import { isAppError } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import type { RequestHead, ResponseHead } from '@/lib/tunnel/protocol/heads';
import type { PublicTunnel } from '@/lib/tunnel/types';
import { countTunnelRequest } from './count-request';
import { Capture } from './public/capture';
import type { RelaySettings, TunnelRecords } from './relay-types';

interface ExchangeLogOptions {
  tunnel: Pick<PublicTunnel, 'id' | 'projectId'>;
  head: RequestHead;
  replayOf: string | null;
  records: Pick<TunnelRecords, 'recordTunnelRequest'>;
  settings: Pick<RelaySettings, 'logBodyBytes' | 'logHeaders'>;
}

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

  /** The local server has begun to respond. */
  responded(head: ResponseHead): void {
    this.responseHead = head;
  }

  /** Records the request. @param error what ended it early; null when it is complete */
  finish(error: unknown): void {
    const { tunnel, head, replayOf, records, settings } = this.options;
    const code = error === null ? null : isAppError(error) ? error.code : 'internal_error';
    countTunnelRequest(code ?? 'relayed');
    records.recordTunnelRequest({
      id: this.id,
      tunnelId: tunnel.id,
      projectId: tunnel.projectId,
      startedAt: this.startedAt,
      method: head.method,
      path: head.path,
      responseStatus: this.responseHead?.status ?? null,
      durationMs: Math.round(performance.now() - this.startedMs),
      requestSize: this.request.size,
      responseSize: this.responseHead === null ? null : this.response.size,
      error: code,
      requestHeaders: settings.logHeaders ? head.headers : [],
      requestBody: this.request.body,
      responseHeaders: this.responseHead !== null && settings.logHeaders ? this.responseHead.headers : null,
      responseBody: this.responseHead === null ? null : this.response.body,
      replayOf,
    });
  }
}
