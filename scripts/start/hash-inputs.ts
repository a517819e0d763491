import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** Generated from other inputs, or not part of the build. */
const LEFT_OUT = /\.test\.tsx?$|(^|[\\/])generated$/;

/** Hashes the names and contents of files and folders; a missing file changes the hash too. */
export function hashInputs(inputs: string[]): string {
  const hash = createHash('sha256');
  for (const file of inputs.flatMap(listFiles)) {
    const content = fs.readFileSync(file);
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function listFiles(file: string): string[] {
  if (LEFT_OUT.test(file)) return [];
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if (!stat.isDirectory()) return [file];
  return fs
    .readdirSync(file)
    .sort()
    .flatMap((name) => listFiles(path.join(file, name)));
}
