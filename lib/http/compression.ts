import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';
import type { ContentCoding } from './accept-encoding';
import type { WireResponse } from './wire-response';

/** What is smaller fits in a packet or two anyhow. */
const THRESHOLD_BYTES = 1024;
/** Compressed within 0.2 ms; a thread costs half of that to ask. What is larger would keep other requests waiting. */
const AT_ONCE_BYTES = 32 * 1024;
const COMPRESSIBLE = /^(?:text\/|application\/(?:problem\+)?json\b)/;

const gzipInThread = promisify(gzip);

/** Whether an answer is worth compressing. Whether it may be is for its route to say. */
export function isCompressible({ content, headers }: WireResponse): boolean {
  if (content === null) return false;
  const isLarge = content instanceof ReadableStream || Buffer.byteLength(content) > THRESHOLD_BYTES;
  return isLarge && COMPRESSIBLE.test(headers['Content-Type'] ?? '');
}

/** Brings the content of an answer into a coding. A stream has been opened in it. */
export async function encode(answer: WireResponse, coding: ContentCoding): Promise<WireResponse> {
  const { content } = answer;
  if (coding === 'identity' || content === null) return answer;
  const headers = { ...answer.headers, 'Content-Encoding': coding };
  if (content instanceof ReadableStream) return { ...answer, headers };
  const compressed = Buffer.byteLength(content) <= AT_ONCE_BYTES ? gzipSync(content) : await gzipInThread(content);
  return { ...answer, headers, content: compressed };
}
