import { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '@/lib/platform/clock';
import { AppError } from '@/lib/platform/errors';
import { MinuteAllowance } from '@/lib/tunnel/request-log/log-writer';
import type { TestResponse } from '@/lib/tunnel/schema';
import { busy, hungUp } from './errors';
import { pumpBody } from './flow';
import { MAX_DELAYED_TESTS, TESTS_PER_MINUTE } from './limits';
import type { RelayedRequest, RelayedResponse } from './relay-types';

/** Answers the requests of test receivers, which have no client (docs/decisions/036-tunnels.md). */
export class TestReceivers {
  private readonly allowance = new MinuteAllowance(TESTS_PER_MINUTE);
  /** Requests that wait for their answer, by tunnel. */
  private readonly delayed = new Map<string, number>();

  /**
   * Reads a request and returns the configured response.
   * @throws AppError rate_limited, tunnel_busy; the reason of the signal
   */
  async answer(request: RelayedRequest, response: TestResponse): Promise<RelayedResponse> {
    const { tunnel, signal } = request;
    if (!this.allowance.take(tunnel.id, 1)) {
      const detail = `A test receiver answers ${TESTS_PER_MINUTE} requests a minute.`;
      throw new AppError('rate_limited', detail, { retryAfterSeconds: 60 });
    }
    signal.throwIfAborted();
    await readBody(request);
    if (response.delaySeconds > 0) await this.wait(tunnel.id, response.delaySeconds, signal);
    signal.throwIfAborted();
    return toRelayed(response.status);
  }

  private async wait(tunnelId: string, seconds: number, signal: AbortSignal): Promise<void> {
    const waiting = this.delayed.get(tunnelId) ?? 0;
    if (waiting >= MAX_DELAYED_TESTS) throw busy('Too many requests wait for the answer of this test receiver.');
    this.delayed.set(tunnelId, waiting + 1);
    try {
      await sleep(seconds * SECOND_MS, undefined, { signal });
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    } finally {
      const left = (this.delayed.get(tunnelId) ?? 1) - 1;
      if (left === 0) this.delayed.delete(tunnelId);
      else this.delayed.set(tunnelId, left);
    }
  }
}

/** Reads the body to its end. The source is not destroyed: a request must still get its response. */
function readBody({ body, onChunk, signal }: RelayedRequest): Promise<void> {
  if (body === null) return Promise.resolve();
  const sink = new Writable({ write: (_chunk, _encoding, done) => done() });
  return new Promise((resolve, reject) => {
    const abort = () => sink.destroy();
    signal.addEventListener('abort', abort);
    sink.once('finish', resolve).once('close', () => {
      signal.removeEventListener('abort', abort);
      // After "finish" this changes nothing.
      reject(signal.aborted ? signal.reason : hungUp());
    });
    pumpBody(body, sink, { onChunk, onBroken: () => sink.destroy() });
  });
}

function toRelayed(status: number): RelayedResponse {
  const isEmpty = status === 204 || status === 205 || status === 304;
  const text = status < 300 ? '{"received":true}' : `{"error":"This test receiver answers ${status}."}`;
  const bytes = Buffer.from(isEmpty ? '' : text);
  const headers: [string, string][] = isEmpty
    ? []
    : [
        ['Content-Type', 'application/json'],
        ['Content-Length', String(bytes.length)],
      ];
  return { head: { status, headers }, body: Readable.from(isEmpty ? [] : [bytes]) };
}
