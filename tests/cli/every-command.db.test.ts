import { beforeEach, describe, expect, it } from 'vitest';
import type { SessionCredentials } from '@/lib/cli/config/credentials';
import { findFreePort } from '@/lib/platform/free-port';
import { useDatabase } from '@/tests/database/use-database';
import { ADMIN_TOKEN } from '@/tests/fixtures/operator';
import { useProjects } from '@/tests/fixtures/projects';
import { type Receiver, startReceiver } from '@/tests/http/receiver';
import { type CommandLine, commandLines } from './command-lines';
import { type Ended, useEds } from './eds';
import { LEAF_COMMANDS } from './leaf-commands';
import { storeSession } from './session-file';
import { signIn } from './sign-in';
import { useService } from './use-service';

const port = await findFreePort();
const origin = `http://127.0.0.1:${port}`;
useDatabase({
  PROJECT_MAX_SOURCES: '1000',
  APP_BASE_URL: origin,
  PORT: String(port),
  PLATFORM_ADMIN_TOKEN: ADMIN_TOKEN,
});
const projects = useProjects();
useService(port);
const eds = useEds(() => origin);
let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
const lines = commandLines({ origin, project: () => projects.mine, receiver: () => receiver });

/** Commands whose JSON is a line for each item, and that run until Ctrl-C. */
const STREAMS = ['events tail', 'listen'];
/** Commands that need nobody to be signed in. */
const WITHOUT_SESSION = /^(login|logout|verify|config .*|completion|version)$/;
/** Commands after which the session is closed. */
const ENDS_SESSION = ['logout', 'config remove'];
/** Commands whose text may be JSON: that of a document, or of a body. */
const DOCUMENTS = ['export', 'incoming body', 'types export'];

async function runLine(name: string, { args = [], env, stdin, until }: CommandLine, more: string[]): Promise<Ended> {
  const words = [...name.split(' '), ...args, ...more];
  const options = { env: { EDS_PROJECT: projects.mine.id, ...env }, ...(stdin !== undefined && { stdin }) };
  if (until === undefined) return await eds.run(words, options);
  const running = eds.start(words, options);
  await running.waitFor(until);
  running.child.kill('SIGINT');
  return await running.ended;
}

let session: SessionCredentials | null = null;

/** Signs in once: the server limits how many codes an address gets. */
async function runSignedIn(name: string, line: CommandLine, more: string[]): Promise<Ended> {
  if (session === null || ENDS_SESSION.includes(name)) session = await signIn(eds, origin, projects.mine.owner);
  else storeSession(eds, origin, session);
  if (ENDS_SESSION.includes(name)) session = null;
  return await runLine(name, line, more);
}

function parse(name: string, stdout: string): unknown[] {
  if (!STREAMS.includes(name)) return [JSON.parse(stdout)];
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

it('knows every command', () => {
  expect(Object.keys(lines).sort()).toEqual([...LEAF_COMMANDS].sort());
});

describe.each(LEAF_COMMANDS)('eds %s', (name) => {
  const make = async () => (await lines[name]?.()) ?? {};

  it('writes text without --json, and JSON with it', async () => {
    const code = STREAMS.includes(name) ? 130 : 0;
    const text = await runSignedIn(name, await make(), []);
    const json = await runSignedIn(name, await make(), ['--json']);
    expect([text.code, json.code], text.stderr + json.stderr).toEqual([code, code]);
    expect(`${text.stdout}${text.stderr}`.trim()).not.toBe('');
    for (const each of parse(name, json.stdout)) expect(each).toEqual(expect.any(Object));
    expect(text.stdout).not.toContain('\u001b');
    if (!DOCUMENTS.includes(name)) expect(() => parse(name, text.stdout || 'words')).toThrow();
  });
});

describe.each(LEAF_COMMANDS.filter((name) => !WITHOUT_SESSION.test(name)))('eds %s', (name) => {
  it('exits with 4 where nobody is signed in', async () => {
    const { env: _credentials, until: _until, ...line } = (await lines[name]?.()) ?? {};
    const ended = await runLine(name, { ...line, env: { EDS_PROJECT: '' } }, ['--json']);
    expect([ended.code, ended.stdout], ended.stderr).toEqual([4, '']);
    expect(JSON.parse(ended.stderr).error).toMatchObject({ exitCode: 4, code: 'not_signed_in' });
  });
});

/** Commands of the resources of a project, which a key of the project may run. */
const OF_PROJECT = LEAF_COMMANDS.filter((name) =>
  /^(customers|endpoints|subscriptions|deliveries|sources|destinations|incoming|tunnels) /.test(name),
);
const READING = / (list|types|get|body|requests|count|targets|outages|attempts?|(test|preview)-filter)$/;

async function runWithKey(name: string, apiKey: string): Promise<Ended> {
  const line = (await lines[name]?.()) ?? {};
  return await runLine(name, { ...line, env: { EDS_API_KEY: apiKey, EDS_PROJECT: '' } }, ['--json']);
}

describe.each(OF_PROJECT)('eds %s', (name) => {
  it('exits with 5 for a key that only reads, unless it only reads', async () => {
    const { code, stderr } = await runWithKey(name, projects.mine.readOnlyKey);
    expect(code, stderr).toBe(READING.test(name) ? 0 : 5);
  });
});

describe.each(OF_PROJECT.filter((name) => !/ (list|types|create|count|targets|(test|preview)-filter)$/.test(name)))(
  'eds %s',
  (name) => {
    it('exits with 3 for what belongs to another project', async () => {
      const { code, stderr } = await runWithKey(name, projects.foreign.key);
      expect(code, stderr).toBe(3);
    });
  },
);
