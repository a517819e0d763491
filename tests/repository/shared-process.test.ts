import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const FOLDERS = ['app', 'components', 'lib', 'scripts', 'tests'];
const IS_TEST = /\.test\.tsx?$/;
/** Vitest runs it for each test file. */
const EXEMPT = 'tests/setup/isolate-files.ts';

const MOCKS_A_MODULE = /\bvi\.(mock|doMock|unmock|hoisted)\(/;
/** Only at the beginning of a line: a function may register hooks for the test file that calls it. */
const REGISTERS_A_HOOK = /^(before|after)(Each|All)\(/m;

/** Lists the paths of the sources that match. */
function listSources(pattern: RegExp): string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  ).filter((file) => /\.tsx?$/.test(file) && file !== EXEMPT && pattern.test(readFileSync(file, 'utf8')));
}

it('no test mocks a module, because test files share loaded modules', () => {
  expect(listSources(MOCKS_A_MODULE)).toEqual([]);
});

it('no shared module registers a hook when it is loaded, because the hook would run only for the first test file', () => {
  expect(listSources(REGISTERS_A_HOOK).filter((file) => !IS_TEST.test(file))).toEqual([]);
});
