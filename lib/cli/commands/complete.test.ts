import { describe, expect, it } from 'vitest';
import { COMMANDS } from '@/lib/cli/commands';
import { GLOBAL_OPTIONS } from '@/lib/cli/options';
import { complete } from './completion';

const grammar = { commands: COMMANDS, globals: GLOBAL_OPTIONS, profiles: () => ['default', 'staging'] };
const words = (line: string) => complete(line.split(' '), grammar).map(({ text }) => text);

describe('completing a command line', () => {
  it.each([
    ['log', ['login', 'logout']],
    ['projects ', ['list', 'use', 'create', 'delete', 'get', 'limits', 'update']],
    ['projects c', ['create']],
    ['--json projects c', ['create']],
    ['--profile staging projects c', ['create']],
    ['admin retention run ', ['main', 'cap', 'burst', 'metrics', 'partitions']],
    ['open de', ['deliveries']],
    ['open events ', []],
    ['config use s', ['staging']],
    ['--profile ', ['default', 'staging']],
    ['projects --profile s', ['staging']],
    ['projects --profile=s', ['--profile=staging']],
    ['projects list --l', ['--limit']],
    ['audit --fo', ['--follow']],
    ['audit list --fo', ['--follow']],
    ['sessions close --o', ['--others', '--org']],
    ['projects create -- --u', []],
    ['projects list --limit ', []],
    ['nothing ', []],
    ['nothing --js', ['--json']],
    ['export --output ', []],
  ])('%j: %j', (line, expected) => {
    expect(words(line)).toEqual(expected);
  });

  it('understands the words of bash, which splits at the equals sign', () => {
    expect(complete(['projects', '--profile', '=', 's'], grammar)).toEqual([{ text: 'staging' }]);
    expect(complete(['projects', '--profile', '='], grammar)).toHaveLength(2);
    expect(complete(['--profile', '=', 'staging', 'log'], grammar)).toHaveLength(2);
  });

  it('says what a command does', () => {
    expect(complete(['whoa'], grammar)).toEqual([{ text: 'whoami', description: 'Show who is signed in and where.' }]);
  });

  it('offers every command and every option that is not hidden', () => {
    expect(complete([], grammar).map(({ text }) => text)).toEqual(Object.keys(COMMANDS));
    expect(words('login --')).toEqual(expect.arrayContaining(['--url', '--no-browser', '--with-api-key', '--json']));
  });
});
