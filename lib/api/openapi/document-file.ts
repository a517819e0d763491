import { readFile } from 'node:fs/promises';
import { once } from '@/lib/platform/globals';

/** Where the build writes the document: the table itself cannot be described by a route of the table. */
export const DOCUMENT_FILE = '.build/openapi.json';

/** Reads the text of the OpenAPI document, once in a process. */
export function readDocument(): Promise<string> {
  return once('openapi-document', () => ({ text: readFile(DOCUMENT_FILE, 'utf8') })).text;
}
