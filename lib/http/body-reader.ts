import type { IncomingMessage } from 'node:http';
import { AppError } from '@/lib/platform/errors';

function tooLarge(limitBytes: number): AppError {
  const limit = limitBytes >= 1024 * 1024 ? `${limitBytes / 1024 / 1024} MiB` : `${limitBytes / 1024} KiB`;
  // The rest of the body is never read, so the connection cannot carry another request.
  return new AppError('payload_too_large', `The body is larger than ${limit}.`, { headers: { Connection: 'close' } });
}

function declaredTooLarge(contentLength: string | null | undefined, limitBytes: number): boolean {
  return contentLength !== null && contentLength !== undefined && Number(contentLength) > limitBytes;
}

function aborted(): AppError {
  return new AppError('invalid_request', 'The connection closed before the body was complete.');
}

/** Reads a node:http body of at most `limitBytes`. @throws AppError payload_too_large, invalid_request */
export function readNodeBody(message: IncomingMessage, limitBytes: number): Promise<Buffer> {
  if (declaredTooLarge(message.headers['content-length'], limitBytes)) return Promise.reject(tooLarge(limitBytes));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    message.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limitBytes) {
        message.pause();
        message.removeAllListeners('data');
        reject(tooLarge(limitBytes));
        return;
      }
      chunks.push(chunk);
    });
    message.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    message.on('error', () => reject(aborted()));
    // Every message closes, so the error is created only when needed: its stack trace is expensive.
    message.on('close', () => message.readableEnded || reject(aborted()));
  });
}

/** Reads the body of a web Request of at most `limitBytes`. @throws AppError payload_too_large, invalid_request */
export async function readWebBody(request: Request, limitBytes: number): Promise<Buffer> {
  if (declaredTooLarge(request.headers.get('content-length'), limitBytes)) throw tooLarge(limitBytes);
  if (request.body === null) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(() => Promise.reject(aborted()));
    if (done) return Buffer.concat(chunks);
    size += value.length;
    if (size > limitBytes) {
      await reader.cancel().catch(() => undefined);
      throw tooLarge(limitBytes);
    }
    chunks.push(value);
  }
}
