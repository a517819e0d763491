import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';
import type { ContentCoding } from './accept-encoding';
import type { WireResponse } from './wire-response';

/** Smaller content fits into one or two packets anyway. */
const THRESHOLD_BYTES = 1024;
/** Compressed in 0.2 ms, and handing it to a thread costs half of that. Larger content would block other requests. */
const AT_ONCE_BYTES = 32 * 1024;
/** Not an event stream: compression would hold its events back. */
const COMPRESSIBLE = /^(?:text\/(?!event-stream)|application\/(?:problem\+|x-nd)?json\b)/;

const gzipInThread = promisify(gzip);

/** Whether content of a type may be compressed. */
export function isCompressibleType(contentType: string | undefined): boolean {
  return COMPRESSIBLE.test(contentType ?? '');
}

/** Whether a response is worth compressing. The route decides whether it may be. */
export function isCompressible({ content, headers }: WireResponse): boolean {
  if (content === null) return false;
  const isLarge = content instanceof ReadableStream || Buffer.byteLength(content) > THRESHOLD_BYTES;
  return isLarge && isCompressibleType(headers['Content-Type']);
}

/** Encodes the content of a response. A stream already has the coding. */
export async function encode(response: WireResponse, coding: ContentCoding): Promise<WireResponse> {
  const { content } = response;
  if (coding === 'identity' || content === null) return response;
  const headers = { ...response.headers, 'Content-Encoding': coding };
  if (content instanceof ReadableStream) return { ...response, headers };
  return { ...response, headers, content: response.gzip ?? (await compress(content)) };
}

function compress(content: string | Uint8Array): Uint8Array | Promise<Uint8Array> {
  return Buffer.byteLength(content) <= AT_ONCE_BYTES ? gzipSync(content) : gzipInThread(content);
}
