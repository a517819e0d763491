import { expect, it } from 'vitest';
import { COMMANDS } from './commands';
import { completeWords } from './complete-words';

const complete = (...words: string[]) => completeWords(COMMANDS, words);

it('completes groups, commands, options and the choices of an option', () => {
  expect(complete('pro')).toEqual(['projects']);
  expect(complete('projects', '')).toEqual(expect.arrayContaining(['list', 'use', 'create', 'delete']));
  expect(complete('admin', 'orgs', 'd')).toEqual(['delete']);
  expect(complete('deliveries', 'list', '--sta')).toEqual(['--status']);
  expect(complete('keys', 'create', '--scope', 'READ_O')).toEqual(['READ_ONLY']);
  expect(complete('whoami', '--js')).toEqual(['--json']);
});

it('offers no hidden command, and nothing that does not fit', () => {
  expect(complete('')).not.toContain('complete');
  expect(complete('projects', 'list', 'x')).toEqual([]);
  expect(complete('unknown', 'pro')).toEqual(['projects']);
});
