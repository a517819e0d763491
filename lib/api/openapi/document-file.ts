import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { once } from '@/lib/platform/globals';

/** Where the build writes the document. A route of the table cannot describe the table that contains it. */
export const DOCUMENT_FILE = '.build/openapi.json';

interface FixedDocument {
  text: string;
  gzip: Uint8Array;
}

/**
 * Reads the OpenAPI document and compresses it, once in a process: anyone may request it, and compressing 425 KB takes 4 ms
 * of a thread each time.
 */
export function readDocument(): Promise<FixedDocument> {
  return once('openapi-document', () => ({ read: readAndCompress() })).read;
}

async function readAndCompress(): Promise<FixedDocument> {
  const text = await readFile(DOCUMENT_FILE, 'utf8');
  return { text, gzip: await promisify(gzip)(text, { level: 9 }) };
}
