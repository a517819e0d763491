import { readFile } from 'node:fs/promises';
import { type Guide, parseGuide } from '@/components/docs/markdown/parse-guide';
import { once } from '@/lib/platform/globals';

/** Reads a guide of the repository, once in a process. @param file path from the root */
export function loadGuide(file: string): Promise<Guide> {
  return once(`guide ${file}`, () => ({ guide: readFile(file, 'utf8').then(parseGuide) })).guide;
}
