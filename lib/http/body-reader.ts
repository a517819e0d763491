import type { IncomingMessage } from 'node:http';
import { AppError } from '@/lib/platform/errors';
import { LARGE_BODY_BYTES } from '@/lib/platform/large-body';
import { type BodySender, BodyTurns } from './body-turns';
import { endLargeBody, LargeBodyPlace } from './large-bodies';
import { unfinishedBodies } from './unfinished-bodies';

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

/** A smaller chunk is copied: a list of small chunks takes many times their size. */
const KEPT_CHUNK_BYTES = 4 * 1024;
const MIN_BUFFER_BYTES = 1024;

/**
 * A body as far as it has arrived: its large chunks as they came, and small ones in buffers that double. One that has a place is copied
 * into its buffer as it arrives: to join 25 MiB at the end would take twice the memory.
 */
class ArrivingBody {
  private readonly parts: Uint8Array[] = [];
  /** Copies of small chunks that follow the last part. */
  private tail: Buffer = Buffer.alloc(0);
  private tailSize = 0;
  private whole: Buffer | null = null;
  size = 0;

  /**
   * @param declared its size, if the client tells it
   * @param smallBytes how much of it counts: a larger body has a place
   */
  constructor(
    private readonly limitBytes: number,
    private readonly declared?: number,
    private readonly smallBytes = limitBytes,
  ) {}

  get needsPlace(): boolean {
    return Math.max(this.size, this.declared ?? 0) > this.smallBytes;
  }

  /** @returns the bytes that it takes more than before. @throws AppError payload_too_large */
  add(chunk: Uint8Array): number {
    this.size += chunk.length;
    if (this.size > this.limitBytes) throw tooLarge(this.limitBytes);
    // What a place stands for does not count.
    if (this.whole !== null) {
      this.whole.set(chunk, this.size - chunk.length);
      return 0;
    }
    // Most bodies are one chunk, which is not copied.
    if (this.size === chunk.length || chunk.length >= KEPT_CHUNK_BYTES) {
      this.endTail();
      this.parts.push(chunk);
      return this.size > this.smallBytes ? 0 : chunk.length;
    }
    const before = this.tail.length;
    const tailSize = this.tailSize + chunk.length;
    if (tailSize > before) {
      const larger = Buffer.allocUnsafeSlow(Math.max(MIN_BUFFER_BYTES, 2 * before, tailSize));
      this.tail.copy(larger, 0, 0, this.tailSize);
      this.tail = larger;
    }
    this.tail.set(chunk, this.tailSize);
    this.tailSize = tailSize;
    return this.tail.length - before;
  }

  /** Continues in the buffer of its place. */
  moveTo(whole: Buffer): void {
    this.bytes.copy(whole);
    this.parts.length = 0;
    this.whole = whole;
  }

  private endTail(): void {
    if (this.tailSize > 0) this.parts.push(this.tail.subarray(0, this.tailSize));
    this.tail = Buffer.alloc(0);
    this.tailSize = 0;
  }

  get bytes(): Buffer {
    if (this.whole !== null) return this.whole.subarray(0, this.size);
    this.endTail();
    const [first, ...others] = this.parts;
    if (first === undefined || others.length > 0) return Buffer.concat(this.parts);
    return Buffer.from(first.buffer, first.byteOffset, first.byteLength);
  }
}

/**
 * Uses the bytes of a body. They count for the bound of all bodies until it resolves.
 * @param needed returns a signal that aborts when other bodies need their memory
 */
export type UseBody<T> = (bytes: Buffer, needed: () => AbortSignal) => T | Promise<T>;

/** Counts a body for the bound of all bodies, while it is read and used. */
function holdBody(network: string, stopReading: (error: AppError) => void) {
  const memory: { user?: AbortController; refusal?: AppError } = {};
  let isComplete = false;
  const { add, leave } = unfinishedBodies().enter(network, (error) => {
    memory.refusal = error;
    if (isComplete) memory.user?.abort(error);
    else stopReading(error);
  });
  const needed = () => {
    memory.user ??= new AbortController();
    if (memory.refusal !== undefined) memory.user.abort(memory.refusal);
    return memory.user.signal;
  };
  const use = async <T>(bytes: Buffer, useBody: UseBody<T>): Promise<T> => {
    isComplete = true;
    try {
      return await useBody(bytes, needed);
    } finally {
      leave();
    }
  };
  return { add, leave, use };
}

/** The headers of a request live as long as its body is awaited, and may be larger. */
function sizeOfHead({ rawHeaders }: IncomingMessage): number {
  let size = 0;
  for (const part of rawHeaders) size += part.length;
  return size;
}

/**
 * Reads a node:http body of at most `limitBytes`, and uses it. One of more than LARGE_BODY_BYTES keeps its place until `endLargeBody`.
 * @throws AppError payload_too_large, invalid_request, overloaded when other bodies need its memory
 */
export function readNodeBody<T>(
  message: IncomingMessage,
  limitBytes: number,
  sender: BodySender,
  use: UseBody<T>,
): Promise<T> {
  if (declaredTooLarge(message.headers['content-length'], limitBytes)) return Promise.reject(tooLarge(limitBytes));
  // The client disconnected before: nothing would tell it again.
  if (message.destroyed) return Promise.reject(aborted());
  return new Promise((resolve, reject) => {
    const { 'content-length': length } = message.headers;
    const declared = length === undefined ? undefined : Number(length);
    const mayBeLarge = limitBytes > LARGE_BODY_BYTES;
    const body = new ArrivingBody(limitBytes, declared, mayBeLarge ? LARGE_BODY_BYTES : limitBytes);
    const turns = new BodyTurns(message, sender);
    let place: LargeBodyPlace | null = null;
    let isEnded = false;
    const end = () => {
      if (!isEnded) turns.end();
      isEnded = true;
    };
    const fail = (error: unknown) => {
      held.leave();
      end();
      place?.end();
      message.pause();
      message.removeAllListeners('data');
      reject(error);
    };
    const held = holdBody(sender.network, fail);
    held.add(sizeOfHead(message));
    message.on('data', (chunk: Buffer) => {
      try {
        held.add(body.add(chunk));
        place?.arrived(chunk.length);
        if (place !== null) return;
        if (mayBeLarge && body.needsPlace) waitForPlace();
        else turns.arrived(chunk.length);
      } catch (error) {
        fail(error);
      }
    });
    const waitForPlace = () => {
      message.pause();
      // With a place, it waits for no turn: bodies of the same owner would let it keep the place.
      turns.end();
      place = new LargeBodyPlace(sender.ownerId ?? sender.network);
      place.arrived(body.size);
      place.take(limitBytes, fail).then((buffer) => {
        if (isEnded || buffer === null) return;
        body.moveTo(buffer);
        message.resume();
      }, fail);
    };
    message.on('end', () => {
      // What follows a failure is not used: the buffer may belong to another body.
      if (isEnded) return;
      if (declared !== undefined && body.size !== declared) return fail(aborted());
      end();
      const { bytes } = body;
      place?.use(bytes);
      held.use(bytes, use).then(resolve, (error: unknown) => {
        endLargeBody(bytes);
        reject(error);
      });
    });
    message.on('error', () => reject(aborted()));
    message.on('close', () => {
      end();
      place?.end();
      // Every message closes, so the error is created only when needed: its stack trace is expensive.
      if (message.readableEnded) return;
      held.leave();
      reject(aborted());
    });
  });
}

/** Reads the body of a web Request as `readNodeBody` does, without turns. */
export async function readWebBody<T>(
  request: Request,
  limitBytes: number,
  network: string,
  use: UseBody<T>,
): Promise<T> {
  if (declaredTooLarge(request.headers.get('content-length'), limitBytes)) throw tooLarge(limitBytes);
  if (request.body === null) return use(Buffer.alloc(0), () => new AbortController().signal);
  const body = new ArrivingBody(limitBytes);
  const reader = request.body.getReader();
  let ended: AppError | null = null;
  const cancel = () => reader.cancel().catch(() => undefined);
  const held = holdBody(network, (error) => {
    ended = error;
    void cancel();
  });
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => Promise.reject(aborted()));
      if (ended !== null) throw ended;
      if (done) break;
      held.add(body.add(value));
    }
  } catch (error) {
    await cancel();
    held.leave();
    throw error;
  }
  return held.use(body.bytes, use);
}
