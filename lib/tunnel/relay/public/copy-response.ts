import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { AppError } from '@/lib/platform/errors';
import { failed, hungUp, timedOut } from '@/lib/tunnel/relay/errors';
import { Flow } from '@/lib/tunnel/relay/flow';

interface CopyRules {
  /** Bytes that Content-Length declares; null without it. */
  declaredBytes: number | null;
  /** The response has no body, even if bytes follow: to HEAD, and with status 204 or 304. */
  isBodyless: boolean;
  idleMs: number;
  /** Returns for how many milliseconds the body is not read. */
  onChunk(chunk: Buffer): number;
}

/**
 * Copies the body of a response whose head has been written, as fast as the reader reads. Resolves when all of it is sent.
 * Any failure destroys both sides, so that a partial body never looks complete.
 * @throws AppError tunnel_failed, tunnel_timeout; invalid_request when the reader disconnects
 */
export function copyResponse(body: Readable, response: ServerResponse, rules: CopyRules): Promise<void> {
  const { declaredBytes, isBodyless, idleMs, onChunk } = rules;
  return new Promise((resolve, reject) => {
    let sent = 0;
    const flow = new Flow(body, response);
    const fail = (error: AppError) => {
      clearTimeout(idle);
      reject(error);
      body.destroy();
      response.destroy();
    };
    const idle = setTimeout(() => fail(timedOut(idleMs / 1000)), idleMs);
    body.on('data', (chunk: Buffer) => {
      // Bytes that follow a response without a body are not part of it.
      if (isBodyless) return body.destroy();
      idle.refresh();
      sent += chunk.length;
      if (declaredBytes !== null && sent > declaredBytes)
        return fail(failed('The response is longer than it declares.'));
      const restMs = onChunk(chunk);
      response.write(chunk);
      flow.afterChunk(restMs);
    });
    response.on('drain', () => {
      idle.refresh();
      flow.resume();
    });
    body.on('end', () => {
      const isShort = !isBodyless && declaredBytes !== null && sent < declaredBytes;
      if (isShort) fail(failed('The response is shorter than it declares.'));
      else response.end();
    });
    body.on('close', () => {
      if (!isBodyless && !body.readableEnded) fail(failed('The client of the tunnel broke off the response.'));
    });
    response.on('close', () => {
      clearTimeout(idle);
      body.destroy();
      if (response.writableFinished) resolve();
      else reject(hungUp());
    });
    if (response.destroyed) return fail(hungUp());
    if (body.destroyed && !isBodyless) return fail(failed('The client of the tunnel broke off the response.'));
    if (isBodyless) response.end();
  });
}
