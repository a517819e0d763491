import { readFile } from 'node:fs/promises';
import { once } from '@/lib/platform/globals';

/** Where the build writes the document. A route of the table cannot describe the table that contains it. */
export const DOCUMENT_FILE = '.build/openapi.json';

/** Reads the text of the OpenAPI document, once in a process. */
export function readDocument(): Promise<string> {
  return once('openapi-document', () => ({ text: readFile(DOCUMENT_FILE, 'utf8') })).text;
}
