import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { VARIABLES } from './variables';

const FOLDERS = ['app', 'components', 'lib', 'scripts'];
const isSource = (file: string) =>
  /\.(ts|tsx|mjs)$/.test(file) && !/\.test\.ts$|prisma\/generated|scripts\/bench/.test(file);

/** The code that may read a variable, without the table that declares it and texts that only mention it. */
function readSources(): string {
  const files = FOLDERS.flatMap((folder) =>
    fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => path.posix.join(folder, file)),
  );
  const texts = files
    .filter((file) => isSource(file) && file !== 'lib/platform/config/variables.ts')
    .map((file) => fs.readFileSync(file, 'utf8'));
  return texts.join('\n').replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g, '');
}

it('every variable is read', () => {
  const sources = readSources();
  const unread = Object.keys(VARIABLES).filter((name) => !new RegExp(`\\b${name}\\b`).test(sources));
  expect(unread).toEqual([]);
});
