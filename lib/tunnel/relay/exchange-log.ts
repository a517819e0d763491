import { knownOwnerOfProject } from '@/lib/orgs/tenant';
import { type AppError, type ErrorCode, isAppError } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { declareCounter } from '@/lib/platform/metrics';
import { REDACTED } from '@/lib/platform/net/credential-names';
import { credentialRedactor } from '@/lib/platform/net/redact-secrets';
import { inThreadTurnNow } from '@/lib/platform/thread-turns';
import type { RequestHead, ResponseHead } from '@/lib/tunnel/protocol/heads';
import { isEncoded } from '@/lib/tunnel/request-log/present-request';
import type { CapturedBody, PublicTunnel, TunnelRequestEntry } from '@/lib/tunnel/types';
import type { RelaySettings, TunnelRecords } from './relay-types';

interface ExchangeLogOptions {
  tunnel: Pick<PublicTunnel, 'id' | 'projectId'>;
  head: RequestHead;
  replayOf: string | null;
  /** The lower-case names of the headers with credentials of a delivery. */
  credentials: readonly string[];
  records: Pick<TunnelRecords, 'recordTunnelRequest'>;
  settings: Pick<RelaySettings, 'logBodyBytes' | 'logHeaders'>;
  /** Whether all of the body was read. */
  isBodyComplete(): boolean;
}

/** The one who asked may not enter. The log keeps nothing that the request carried, unless it had entered before. */
const NO_ENTRY: readonly ErrorCode[] = ['forbidden', 'unauthenticated'];
/** The request was answered without the local server, by a rule that it broke. Other errors are not its own fault. */
const REFUSALS: readonly ErrorCode[] = [...NO_ENTRY, 'not_found', 'payload_too_large', 'upgrade_unsupported'];

/** Follows a request through a tunnel, for its entry in the log. */
export class ExchangeLog {
  readonly id = newId();
  readonly request: Capture;
  readonly response: Capture;
  private readonly startedAt = new Date();
  private readonly startedMs = performance.now();
  private hasEntered = false;
  private responseHead: ResponseHead | null = null;

  constructor(private readonly options: ExchangeLogOptions) {
    this.request = new Capture(options.settings.logBodyBytes);
    this.response = new Capture(options.settings.logBodyBytes);
  }

  /** Call this when the request may enter the tunnel. */
  entered(): void {
    this.hasEntered = true;
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
    const { head, settings, credentials, isBodyComplete } = this.options;
    const isComplete = !head.hasBody || isBodyComplete();
    const requestSize = isComplete ? this.request.size : Math.max(this.request.size, declaredBytesOf(head));
    const responseHeaders = settings.logHeaders ? (this.responseHead?.headers ?? null) : null;
    const responseBody = this.responseHead === null ? null : this.response.body();
    const response = { responseHeaders, responseBody };
    const isRefused = !this.hasEntered && isOneOf(NO_ENTRY, code);
    if (isRefused) return { requestSize, requestHeaders: null, requestBody: null, ...response };
    const requestBody = this.request.body(isComplete);
    const exchanged = { requestHeaders: head.headers, ...response };
    const kept = credentials.length === 0 ? exchanged : this.redactInTurn(exchanged);
    return { requestSize, requestBody, ...kept, requestHeaders: settings.logHeaders ? kept.requestHeaders : [] };
  }

  /** Leaves out what the local server sent when much was searched for the owner already. */
  private redactInTurn(exchanged: Exchanged): Exchanged {
    const { credentials, tunnel } = this.options;
    const { projectId } = tunnel;
    const ownerId = knownOwnerOfProject(projectId) ?? projectId;
    const redacted = inThreadTurnNow(ownerId, () => redactExchange(exchanged, credentials));
    return redacted ?? redactExchange({ ...exchanged, responseHeaders: null, responseBody: null }, credentials);
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

const requests = declareCounter({
  name: 'tunnel_requests_total',
  help: 'Requests to tunnels: relayed, or by the code of the error',
  labelNames: ['result'],
});

/** Counts a request to a tunnel that this process has received. @param result `relayed`, or the code of its error */
export function countTunnelRequest(result: string): void {
  requests().inc({ result });
}

type Exchanged = Pick<TunnelRequestEntry, 'requestHeaders' | 'responseHeaders' | 'responseBody'>;

/**
 * Removes the credentials of a delivery from what the log keeps: their headers, and what the local server repeats of them.
 * @param credentials the lower-case names of the headers
 */
function redactExchange(exchanged: Exchanged, credentials: readonly string[]): Exchanged {
  const { requestHeaders, responseHeaders, responseBody } = exchanged;
  const isCredential = (name: string) => credentials.includes(name.toLowerCase());
  const found = requestHeaders?.filter(([name]) => isCredential(name)) ?? [];
  if (found.length === 0) return exchanged;
  const sent = Object.fromEntries(found.map(([name, value]) => [name.toLowerCase(), value]));
  const redact = credentialRedactor(sent);
  return {
    requestHeaders: requestHeaders?.map(([name, value]) => [name, isCredential(name) ? REDACTED : value]) ?? null,
    responseHeaders: responseHeaders?.map(([name, text]) => [name, redact.text(text)]) ?? null,
    // A compressed body may repeat the credential, too, where it cannot be found.
    responseBody: isEncoded(responseHeaders)
      ? null
      : responseBody && { ...responseBody, bytes: redact.body(responseBody.bytes, responseBody.truncated) },
  };
}

const FIRST_BYTES = 1_024;

/** Keeps the start of a body for the log, and counts all of it. */
export class Capture {
  /** Bytes of the body so far. */
  size = 0;
  /** One buffer that grows: a body may come in single bytes, each of which would cost a hundred as a buffer of its own. */
  private kept: Buffer = Buffer.alloc(0);
  private length = 0;

  constructor(private readonly maxBytes: number) {}

  /** Bytes of memory. */
  get memoryBytes(): number {
    return this.kept.length;
  }

  add(chunk: Buffer): void {
    this.size += chunk.length;
    const part = chunk.subarray(0, this.maxBytes - this.length);
    if (part.length === 0) return;
    this.makeRoom(this.length + part.length);
    this.length += part.copy(this.kept, this.length);
  }

  /**
   * Returns what was kept; null when nothing is to be kept of any body.
   * @param isComplete whether the end of the body was seen
   */
  body(isComplete = true): CapturedBody | null {
    if (this.maxBytes === 0 && isComplete) return null;
    return { bytes: this.kept.subarray(0, this.length), truncated: !isComplete || this.size > this.length };
  }

  private makeRoom(bytes: number): void {
    if (bytes <= this.kept.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.min(this.maxBytes, Math.max(bytes, 2 * this.kept.length, FIRST_BYTES)));
    this.kept.copy(grown, 0, 0, this.length);
    this.kept = grown;
  }
}
