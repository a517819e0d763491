import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { useEds } from '@/tests/cli/eds';
import { storeSession } from '@/tests/cli/session-file';
import { useStubServer } from '@/tests/cli/stub-server';

const server = useStubServer();
const eds = useEds(server.url);
const ORG = '0190b4f0-6f5c-7e31-9f1e-2f4f4b1c9a10';
const PATH = `/api/v1/orgs/${ORG}/export`;

const files = () => readdirSync(eds.folder).filter((name) => name !== 'credentials.json' && !name.startsWith('lock'));

/** Serves the first part of an export. @param then what happens to the connection afterwards */
function servePart(then: (destroy: () => void) => void) {
  storeSession(eds, server.url(), { organizationId: ORG });
  server.on(PATH, (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"members":\u001b', () => then(() => response.destroy()));
  });
}

describe('an export that breaks off', () => {
  it('leaves no file when the connection breaks', async () => {
    servePart((destroy) => destroy());
    const { code, stderr } = await eds.start(['export', '-o', 'export.json']).ended;
    expect([code, stderr]).toEqual([7, expect.stringContaining('The connection broke before the end of the export')]);
    expect(files()).toEqual([]);
    expect((await eds.run(['export'])).code).toBe(7);
  });

  it('leaves no file on Ctrl-C', async () => {
    servePart(() => {});
    const running = eds.start(['export', '-o', 'export.json']);
    await vi.waitFor(() => expect(files()).toEqual([expect.stringMatching(/\.part$/)]), 20_000);
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
    expect(files()).toEqual([]);
  });

  it('does not replace a file that another process has created meanwhile', async () => {
    servePart(() => {});
    let end = () => {};
    server.on(PATH, (response) => {
      response.writeHead(200).write('{}');
      end = () => response.end();
    });
    const running = eds.start(['export', '-o', 'export.json']);
    await vi.waitFor(() => expect(files()).toEqual([expect.stringMatching(/\.part$/)]), 20_000);
    writeFileSync(path.join(eds.folder, 'export.json'), 'theirs');
    end();
    expect(await running.ended).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('export.json already exists.'),
    });
    expect(files()).toEqual(['export.json']);
  });

  it('cannot control the terminal', async () => {
    storeSession(eds, server.url(), { organizationId: ORG });
    server.on(PATH, (response) => response.writeHead(200).end('{"name": "\x1b[2J"}'));
    expect((await eds.run(['export'], { tty: ['stdout'] })).stdout).toBe('{"name": "\\x1b[2J"}\n');
    expect((await eds.run(['export'])).stdout).toBe('{"name": "\x1b[2J"}');
  });
});
