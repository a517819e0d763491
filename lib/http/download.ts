import { MINUTE_MS, SECOND_MS } from '@/lib/platform/clock';
import { log } from '@/lib/platform/log';
import type { ContentCoding } from './accept-encoding';
import type { ApiResponse } from './api-response';
import { ClientPace, type PaceLimits } from './client-pace';
import { gzipChunks } from './gzip-chunks';

/** A file that is made while it is sent. */
export interface Download {
  contentType: string;
  /** Of letters, digits, dots and dashes: it stands in a header. */
  fileName: string;
  /** Read no faster than the client takes them. */
  chunks: AsyncIterator<string>;
  /** Gives back what the chunks hold, at once and however they end; called once. */
  close?(): Promise<void>;
  headers?: Record<string, string>;
}

export interface DownloadLimits extends PaceLimits {
  /** A client that takes nothing for so long is cut off. */
  stallMs: number;
  /** The whole of it may take so long. */
  totalMs: number;
}

export const DOWNLOAD_LIMITS: DownloadLimits = {
  stallMs: 30 * SECOND_MS,
  leastBytesPerSecond: 32 * 1024,
  periodMs: 30 * SECOND_MS,
  totalMs: 15 * MINUTE_MS,
};

/**
 * 200 with a file that is streamed at flat memory. What goes wrong on the way breaks the connection off, so that half a
 * file never looks like a whole one.
 */
export function download(file: Download, limits: DownloadLimits = DOWNLOAD_LIMITS): ApiResponse<never> {
  return {
    status: 200,
    raw: { contentType: file.contentType, content: (coding) => toByteStream(file, coding, limits) },
    headers: { 'Content-Disposition': `attachment; filename="${file.fileName}"`, ...file.headers },
  };
}

/** 200 with the headers of a download that is not begun: for HEAD, where beginning it would be an act. */
export function downloadHead(contentType: string): ApiResponse<never> {
  const content = () => new ReadableStream<Uint8Array>({ start: (controller) => controller.close() });
  return { status: 200, raw: { contentType, content } };
}

/** The limits are judged by what goes out: compressed, where the client takes that. */
function toByteStream(file: Download, coding: ContentCoding, limits: DownloadLimits): ReadableStream<Uint8Array> {
  const pieces: AsyncIterator<string | Uint8Array> = coding === 'gzip' ? gzipChunks(file.chunks) : file.chunks;
  const encoder = new TextEncoder();
  let [isOver, stall, total] = [
    false,
    undefined as NodeJS.Timeout | undefined,
    undefined as NodeJS.Timeout | undefined,
  ];
  const pace = new ClientPace(limits);
  const finish = async () => {
    if (isOver) return;
    isOver = true;
    clearTimeout(stall);
    clearTimeout(total);
    endPieces(pieces);
    await file.close?.();
  };
  const breakOff = (controller: ReadableStreamDefaultController, reason: unknown) => {
    if (isOver) return;
    log().warn({ err: reason, file: file.contentType }, 'a download broke off');
    controller.error(reason);
    finish().catch((error: unknown) => log().warn({ err: error }, 'a download could not be closed'));
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const cut = (what: string) => () => breakOff(controller, new Error(what));
        // Before the first read too: an answer that nobody ever sends must not hold anything for ever.
        stall = setTimeout(cut('the client takes nothing'), limits.stallMs);
        total = setTimeout(cut('the client is too slow'), limits.totalMs);
      },
      async pull(controller) {
        clearTimeout(stall);
        if (!pace.take()) {
          breakOff(controller, new Error('the client is too slow'));
          return;
        }
        try {
          const { done, value } = await pieces.next();
          if (isOver) return;
          if (done) {
            await finish();
            controller.close();
            return;
          }
          const piece = typeof value === 'string' ? encoder.encode(value) : value;
          controller.enqueue(piece);
          pace.offer(piece.length);
          stall = setTimeout(() => breakOff(controller, new Error('the client takes nothing')), limits.stallMs);
        } catch (error) {
          breakOff(controller, error);
        }
      },
      cancel: finish,
    },
    { highWaterMark: 0 },
  );
}

/** Lets go of what they hold, when the piece under way is made: nobody waits for that. */
function endPieces(pieces: AsyncIterator<string | Uint8Array>): void {
  pieces.return?.().catch((error: unknown) => log().warn({ err: error }, 'a download could not be ended'));
}
