import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { tagOf } from '@/lib/http/entity-tag';
import { once } from '@/lib/platform/globals';

/** Where the build writes the document. A route of the table cannot describe the table that contains it. */
export const DOCUMENT_FILE = '.build/openapi.json';

interface FixedDocument {
  content: Buffer;
  gzip: Uint8Array;
  /** A strong ETag. */
  tag: string;
}

/**
 * Reads the OpenAPI document, compresses it and computes its tag, once in a process: anyone may request it, and each of them takes
 * milliseconds of the thread for 830 KB.
 */
export function readDocument(): Promise<FixedDocument> {
  return once('openapi-document', () => ({ read: readAndCompress() })).read;
}

async function readAndCompress(): Promise<FixedDocument> {
  const content = await readFile(DOCUMENT_FILE);
  return { content, gzip: await promisify(gzip)(content, { level: 9 }), tag: tagOf(content) };
}
