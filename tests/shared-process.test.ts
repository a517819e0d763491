import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const FOLDERS = ['app', 'components', 'lib', 'scripts', 'tests'];
const IS_TEST = /\.test\.tsx?$/;
/** This file holds samples of both; the other registers its hooks for each file anew. */
const EXEMPT = ['tests/shared-process.test.ts', 'tests/setup.ts'];

const MOCKS_A_MODULE = /\bvi\.(mock|doMock|unmock|hoisted)\(/;
/** At the beginning of a line: a function that registers hooks for the file that calls it is all right. */
const REGISTERS_A_HOOK = /^(before|after)(Each|All)\(/m;

/** The sources in which tests live that match, by their path. */
function listSources(pattern: RegExp): string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  ).filter((file) => /\.tsx?$/.test(file) && !EXEMPT.includes(file) && pattern.test(readFileSync(file, 'utf8')));
}

it('no test mocks a module: its worker has loaded it for other files already, or would keep the mock for them', () => {
  expect(listSources(MOCKS_A_MODULE)).toEqual([]);
});

it('no module that tests share registers a hook when it is loaded: it would hold for the first of them alone', () => {
  expect(listSources(REGISTERS_A_HOOK).filter((file) => !IS_TEST.test(file))).toEqual([]);
});

it('what these rules look for is found where it stands', () => {
  expect(["vi.mock('pino')", 'vi.hoisted(() => 1)'].every((source) => MOCKS_A_MODULE.test(source))).toBe(true);
  expect(REGISTERS_A_HOOK.test('const a = 1;\nafterEach(stop);\n')).toBe(true);
  expect(REGISTERS_A_HOOK.test('export function useIt() {\n  afterEach(stop);\n}\n')).toBe(false);
});
