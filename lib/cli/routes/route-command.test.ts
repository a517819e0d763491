import { describe, expect, it } from 'vitest';
import { COMMANDS } from '@/lib/cli/commands';
import type { CommandSpec, GroupSpec, OptionSpec } from '@/lib/cli/spec';
import { leavesOf } from './complete-commands';
import { nounOf } from './names';

function specOf(group: string, name: string): CommandSpec {
  const found = (COMMANDS[group] as GroupSpec).commands[name];
  if (found === undefined || 'commands' in found) throw new Error(`no command ${group} ${name}`);
  return found;
}

const flagsOf = ({ options = {} }: CommandSpec) =>
  Object.values(options).map(({ flags }: OptionSpec<unknown>) => flags);

describe('the commands of the routes', () => {
  it('take ids as arguments, and other fields as options', () => {
    const { args = {}, examples } = specOf('members', 'update');
    expect([Object.keys(args), flagsOf(specOf('members', 'update'))]).toEqual([['user-id'], ['--role <role>']]);
    expect(Object.keys(examples)).toEqual(['members update 0197b6a0-… --role ADMIN']);
    expect(Object.keys(specOf('destinations', 'delete-secret').args ?? {})).toEqual(['source', 'destination-id']);
    expect(Object.keys(specOf('search', 'find').args ?? {})).toEqual(['text']);
    expect(flagsOf(specOf('invitations', 'create'))).toEqual(['--email <email>', '--role <role>']);
    expect(flagsOf(specOf('replays', 'list'))).toEqual(['-n, --limit <number>', '-a, --all']);
  });

  it('ask before what cannot be undone, and clear what may be empty', () => {
    expect(flagsOf(specOf('invitations', 'revoke'))).toEqual(['-y, --yes']);
    expect(flagsOf(specOf('tunnels', 'rotate-url'))).toEqual(['-y, --yes']);
    expect(flagsOf(specOf('replays', 'cancel'))).toEqual([]);
    expect(flagsOf(specOf('account', 'update'))).toEqual(['--name <name>', '--no-name', '--time-zone <zone>']);
  });

  it('name one of several by its singular', () => {
    expect(['apiKeyId', 'bulkRetries', 'classes', 'process', 'orgs'].map(nounOf)).toEqual([
      'key',
      'bulk retry',
      'class',
      'process',
      'organization',
    ]);
  });

  it('take a secret from standard input or EDS_SECRET, never by its text, but for the token of an import', () => {
    expect(flagsOf(specOf('sources', 'create'))).toContain('--with-secret');
    const texts = leavesOf(COMMANDS).flatMap((command) =>
      flagsOf(command).filter((flags) => /(secret|password|token) </.test(flags)),
    );
    // The imports take the token of another service, and their help names better ways to give it.
    expect(texts).toEqual(['--token <token|->', '--token <token|->']);
  });
});
