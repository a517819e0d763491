import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Session } from '@/lib/auth/schema';
import { newId } from '@/lib/platform/ids';
import { credentialsFile } from '@/tests/cli/session-file';
import { signIn } from '@/tests/cli/sign-in';
import { useCli } from '@/tests/cli/use-cli';
import { registerPerson, signInAgain } from '@/tests/fixtures/people';

const { projects, url, eds } = useCli();
const storedCredentials = () => existsSync(credentialsFile(eds)) && readFileSync(credentialsFile(eds), 'utf8');

async function listed(): Promise<Session[]> {
  return JSON.parse((await eds.run(['sessions', 'list', '--json'])).stdout);
}

/** Signs `eds` in as a person who has another session. @returns the ID of the other one */
async function signInTwice() {
  const person = await registerPerson();
  await signIn(eds, url(), person);
  const other = (await listed()).find(({ current }) => !current)?.id ?? '';
  return { person, other };
}

describe('eds sessions', () => {
  it('lists the open sessions and says which is the current one, as a table, as lines and as JSON', async () => {
    await signInTwice();
    expect((await listed()).map(({ method, current }) => [method, current])).toEqual([
      ['DEVICE', true],
      ['PASSWORD', false],
    ]);
    const table = await eds.run(['sessions', 'list'], { tty: ['stdout'], env: { NO_COLOR: '1' }, columns: 160 });
    expect(table.stdout).toMatch(
      /^ID +DEVICE +METHOD +ADDRESS +STARTED +LAST USED\n\S+ +CLI on test \(this session\) +DEVICE .*\n\S+ .* +PASSWORD .*\n$/,
    );
    const lines = await eds.run(['sessions', 'list', '--limit', '1']);
    expect(lines.stdout.split('\t')).toHaveLength(6);
    expect(lines.stderr).toContain('Only the first 1 are shown.');
  });

  it('closes another session after a question, and tells an unknown one apart', async () => {
    const { person, other } = await signInTwice();
    const asked = await eds.run(['sessions', 'close', other]);
    expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining('There’s no terminal to ask on.')]);
    const declined = await eds.run(['sessions', 'close', other], { tty: ['stdin', 'stderr'], stdin: 'n\n' });
    expect([declined.code, (await listed()).length]).toEqual([1, 2]);
    const closed = await eds.run(['sessions', 'close', other], { tty: ['stdin', 'stderr'], stdin: 'y\n' });
    expect([closed.code, closed.stderr]).toEqual([0, expect.stringContaining('Closed the session of ')]);
    const again = await eds.run(['sessions', 'close', other, '--yes', '--json']);
    expect([again.code, JSON.parse(again.stderr).error.code]).toEqual([3, 'not_found']);
    expect((await eds.run(['whoami'])).stdout).toContain(person.email);
  });

  it('closes all others, then itself, and forgets the tokens', async () => {
    const { person } = await signInTwice();
    await signInAgain(person);
    const others = await eds.run(['sessions', 'close', '--others', '--yes']);
    expect([others.code, others.stderr]).toEqual([0, expect.stringContaining('Signed out everywhere else.')]);
    const left = await listed();
    expect(left.map(({ current }) => current)).toEqual([true]);
    const own = await eds.run(['sessions', 'close', left[0]?.id ?? '', '--yes', '--json']);
    expect([own.code, JSON.parse(own.stdout)]).toEqual([0, { id: left[0]?.id, closed: true }]);
    expect(storedCredentials()).toBe('{}\n');
  });

  it('closes all sessions only after a confirmation, and forgets the tokens', async () => {
    await signInTwice();
    expect((await eds.run(['sessions', 'close', '--all'])).code).toBe(2);
    expect(await listed()).toHaveLength(2);
    expect((await eds.run(['sessions', 'close', '--all', '--yes'])).code).toBe(0);
    expect(storedCredentials()).toBe('{}\n');
    expect((await eds.run(['sessions', 'list'])).code).toBe(4);
  });

  it('needs exactly one thing to close, and a session of a person', async () => {
    for (const args of [[], ['--all', '--others'], [newId(), '--all']]) {
      expect((await eds.run(['sessions', 'close', ...args])).code, args.join(' ')).toBe(2);
    }
    expect((await eds.run(['sessions', 'close', '--all', '--yes'])).code).toBe(4);
    const asKey = await eds.run(['sessions', 'list'], { env: { EDS_API_KEY: projects.mine.key } });
    expect([asKey.code, asKey.stderr]).toEqual([5, expect.stringContaining('Unset EDS_API_KEY and sign in')]);
  });
});
