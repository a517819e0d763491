import { AsyncResource } from 'node:async_hooks';
import { performance as thread } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS, SECOND_MS } from '@/lib/platform/clock';
import { once } from '@/lib/platform/globals';
import { log } from '@/lib/platform/log';
import type { OpenAccess, WhileAllowed } from '@/lib/platform/open-connections';
import { isAlone, Pace, type PaceLimits } from '@/lib/platform/pace';
import type { Slot } from '@/lib/platform/slots';
import type { ContentCoding } from './accept-encoding';
import type { ApiResponse } from './api-response';
import { ClientThroughput, type ThroughputLimits } from './client-throughput';
import { gzipChunks } from './gzip-chunks';

/** A file that is produced while it is sent. */
export interface Download {
  contentType: string;
  /** Letters, digits, dots and dashes only: it is sent in a header. */
  fileName: string;
  /** Read only as fast as the client reads. */
  chunks: AsyncIterator<string | Uint8Array>;
  /** Releases what the chunks hold, as soon as they end or fail. Called once. */
  close?(): Promise<void>;
  headers?: Record<string, string>;
  /** The download breaks off when its caller loses access. */
  whileAllowed: WhileAllowed;
  /** Learns how the client reads, and may break the download off. */
  slot?: Pick<Slot, 'waitingSince' | 'breakOff' | 'holder'>;
}

export interface DownloadLimits extends ThroughputLimits {
  /** A client that reads nothing for this long is disconnected. */
  stallMs: number;
  /** The longest duration of the download. */
  totalMs: number;
}

/**
 * For files that hold a snapshot. No row that others delete or update can be removed before it ends, and the worker walks over all of them:
 * after 15 minutes of 500 events a second, each poll took a second.
 */
export const DOWNLOAD_LIMITS: DownloadLimits = {
  stallMs: 30 * SECOND_MS,
  leastBytesPerSecond: 32 * 1024,
  periodMs: 30 * SECOND_MS,
  totalMs: 2 * MINUTE_MS,
};

/** For files that hold no snapshot. A client that has stalled starts again. */
export const LIST_DOWNLOAD_LIMITS: DownloadLimits = {
  ...DOWNLOAD_LIMITS,
  stallMs: 10 * SECOND_MS,
  totalMs: 15 * MINUTE_MS,
};

/**
 * 200 with a file that is streamed in constant memory. An error on the way breaks the connection, so that a partial file
 * never looks complete.
 */
export function download(file: Download, limits: DownloadLimits = DOWNLOAD_LIMITS): ApiResponse<never> {
  return {
    status: 200,
    raw: { contentType: file.contentType, content: (coding) => toByteStream(file, coding, limits) },
    headers: { 'Content-Disposition': `attachment; filename="${file.fileName}"`, ...file.headers },
  };
}

/** 200 with the headers of a download, for HEAD: starting the download would have side effects. */
export function downloadHead(contentType: string): ApiResponse<never> {
  const content = () => new ReadableStream<Uint8Array>({ start: (controller) => controller.close() });
  return { status: 200, raw: { contentType, content } };
}

/** The limits apply to the bytes that are sent, after compression. */
function toByteStream(file: Download, coding: ContentCoding, limits: DownloadLimits): ReadableStream<Uint8Array> {
  const chunks = file.slot === undefined ? file.chunks : inPace(file.chunks, file.slot.holder.ownerId);
  const pieces: AsyncIterator<string | Uint8Array> = coding === 'gzip' ? gzipChunks(chunks) : chunks;
  // A stream is read outside the request, whose share of the database the pieces still count for.
  const nextPiece = AsyncResource.bind(() => pieces.next());
  const encoder = new TextEncoder();
  let isOver = false;
  let stall = undefined as NodeJS.Timeout | undefined;
  let total = undefined as NodeJS.Timeout | undefined;
  const throughput = new ClientThroughput(limits);
  const slot: Pick<Slot, 'waitingSince' | 'breakOff'> = file.slot ?? { waitingSince: null, breakOff: null };
  let access: OpenAccess | null = null;
  const finish = async () => {
    if (isOver) return;
    isOver = true;
    clearTimeout(stall);
    clearTimeout(total);
    access?.release();
    endPieces(pieces);
    await file.close?.();
  };
  const breakOff = (controller: ReadableStreamDefaultController, reason: unknown) => {
    if (isOver) return;
    log().warn({ err: reason, file: file.contentType }, 'download aborted');
    controller.error(reason);
    finish().catch((error: unknown) => log().warn({ err: error }, 'could not close a download'));
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const cut = (what: string) => () => breakOff(controller, new Error(what));
        // The limits also apply before the first read: a response that is never sent must not hold its resources.
        stall = setTimeout(cut('the client reads nothing'), limits.stallMs);
        total = setTimeout(cut('it took too long'), limits.totalMs);
        access = file.whileAllowed((reason) => breakOff(controller, reason));
        slot.breakOff = cut('the client reads nothing, and another one needs its slot');
      },
      async pull(controller) {
        clearTimeout(stall);
        slot.waitingSince = null;
        if (!throughput.take()) {
          breakOff(controller, new Error('the client is too slow'));
          return;
        }
        try {
          const { done, value } = await nextPiece();
          if (isOver) return;
          if (done) {
            await finish();
            controller.close();
            return;
          }
          const piece = typeof value === 'string' ? encoder.encode(value) : value;
          controller.enqueue(piece);
          throughput.offer(piece.length);
          slot.waitingSince = performance.now();
          stall = setTimeout(() => breakOff(controller, new Error('the client reads nothing')), limits.stallMs);
        } catch (error) {
          breakOff(controller, error);
        }
      },
      cancel: finish,
    },
    { highWaterMark: 0 },
  );
}

/** Milliseconds of the thread that the files of an owner may take while the process works for others too. */
const PACE: PaceLimits = { perSecond: 100, burst: 200 };
/** Sending a MiB takes about 16 ms. */
const CHARS_PER_MS = 64 * 1024;
/** Reading and formatting a hundred rows takes 5 ms. While a chunk takes longer, the thread works for others. */
const MOST_OF_CHUNK_MS = 5;

/** The milliseconds that the thread has worked: a chunk that waits for the database takes none. */
const workedMs = () => thread.eventLoopUtilization().active;

/** Rests between chunks when the files of the owner take more of the thread than they may. */
async function* inPace<Chunk extends string | Uint8Array>(
  chunks: AsyncIterator<Chunk>,
  ownerId: string,
): AsyncGenerator<Chunk> {
  const pace = once('downloads-pace', () => new Pace(PACE, isAlone));
  let beforeMs = workedMs();
  for await (const chunk of { [Symbol.asyncIterator]: () => chunks }) {
    const madeInMs = Math.min(MOST_OF_CHUNK_MS, workedMs() - beforeMs);
    yield chunk;
    const restMs = pace.restAfter(ownerId, madeInMs + chunk.length / CHARS_PER_MS);
    if (restMs > 0) await sleep(restMs, undefined, { ref: false });
    beforeMs = workedMs();
  }
}

/** Ends the iterator, which releases what it holds. Not awaited: a chunk that is being produced is finished first. */
function endPieces(pieces: AsyncIterator<string | Uint8Array>): void {
  pieces.return?.().catch((error: unknown) => log().warn({ err: error }, 'could not end a download'));
}
