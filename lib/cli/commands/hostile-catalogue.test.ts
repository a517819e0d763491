import { expect, it } from 'vitest';
import { useEds } from '@/tests/cli/eds';
import { storeSession } from '@/tests/cli/session-file';
import { useStubServer } from '@/tests/cli/stub-server';

const server = useStubServer();
const eds = useEds(server.url);
const PROJECT = '0190b4f0-6f5c-7e31-9f1e-2f4f4b1c9a11';
const PATH = `/api/v1/projects/${PROJECT}/event-types/openapi.json`;
const EXPORT = ['types', 'export', '--project', PROJECT];

it('writes a catalogue that cannot control the terminal', async () => {
  storeSession(eds, server.url());
  const document = { title: '\x9b31m\u202e\x85' };
  server.on(PATH, (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(document));
  });
  const { code, stdout, stderr } = await eds.run(EXPORT, { tty: ['stdout'] });
  expect(code, stderr).toBe(0);
  expect(stdout).not.toMatch(/[\x80-\x9f\u202e]/);
  expect(JSON.parse(stdout)).toEqual(document);
});

it('ends with an error when the catalogue has no end', async () => {
  storeSession(eds, server.url());
  server.on(PATH, (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const part = Buffer.alloc(1024 * 1024, ' ');
    const write = () => void (response.closed || response.write(part, write));
    write();
  });
  const { code, stderr } = await eds.run(EXPORT);
  expect([code, stderr]).toEqual([1, expect.stringContaining('too large')]);
});
