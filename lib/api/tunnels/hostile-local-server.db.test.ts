import { createServer } from 'node:net';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HEARTBEAT } from '@/lib/tunnel/protocol/protocol';
import { useDatabase } from '@/tests/database/use-database';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { listen } from '@/tests/http/listen';
import { sendRaw } from '@/tests/http/send-raw';
import { clientOf, connectClient, makeTunnel, useTunnelServer } from '@/tests/tunnel/tunnel-server';

useDatabase();
const server = useTunnelServer(() => ({ times: { responseHeadMs: 1_000, idleMs: 2_000, heartbeat: HEARTBEAT } }));
let project: TestProject;
beforeAll(async () => {
  project = await makeTestProject();
});

let prefix: string;
/** What the local server writes in response to the next request. */
let answer: string;
beforeEach(async () => {
  const local = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => socket.write(Buffer.from(answer, 'latin1')));
  });
  const tunnel = await makeTunnel(project);
  const target = new URL(await listen(local));
  await connectClient(clientOf(server.origin, tunnel, target));
  ({ prefix } = tunnel);
});

/** Visits the tunnel, whose local server answers with these bytes. @returns the bytes that the public gets */
async function visitRaw(bytes: string): Promise<string> {
  answer = bytes;
  const { port } = new URL(server.origin);
  return sendRaw(Number(port), `GET ${prefix}/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
}
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const bodyOf = (text: string) => text.split('\r\n\r\n').slice(1).join('\r\n\r\n');

describe('a local server that breaks HTTP gets its own request ended with 502, and the next one is served', () => {
  it.each([
    ['switches protocols', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'],
    ['speaks no HTTP', 'NONSENSE\r\n\r\n'],
    ['has a status that does not exist', 'HTTP/1.1 999 X\r\nContent-Length: 0\r\n\r\n'],
    ['has two lengths', 'HTTP/1.1 200 X\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok!'],
    ['has one length twice', 'HTTP/1.1 200 X\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok'],
    ['has a length and chunks', 'HTTP/1.1 200 X\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['has a control character in a header', 'HTTP/1.1 200 X\r\nX: a\x01b\r\nContent-Length: 0\r\n\r\n'],
    ['has a bare carriage return in a header', 'HTTP/1.1 200 X\r\nX: a\rSet-Cookie: b\r\nContent-Length: 0\r\n\r\n'],
    ['has a giant head', `HTTP/1.1 200 X\r\nX: ${'y'.repeat(200_000)}\r\nContent-Length: 0\r\n\r\n`],
    [
      'has endless interim responses and then nonsense',
      `${'HTTP/1.1 103 X\r\nLink: </x>\r\n\r\n'.repeat(50)}NONSENSE\r\n\r\n`,
    ],
  ])('%s', async (_how, bytes) => {
    const refused = await visitRaw(bytes);
    expect(refused).toMatch(/^HTTP\/1\.1 502 /);
    expect(refused).not.toContain('Set-Cookie');
    expect(bodyOf(await visitRaw(OK))).toBe('ok');
  });
});

describe('the response of a local server', () => {
  it('may have a head of 30 KB', async () => {
    const passed = await visitRaw(`HTTP/1.1 200 X\r\nX-Long: ${'y'.repeat(30_000)}\r\nContent-Length: 2\r\n\r\nok`);
    expect([passed.includes('y'.repeat(30_000)), bodyOf(passed)]).toEqual([true, 'ok']);
  });

  it('may have 200 headers', async () => {
    const passed = await visitRaw(`HTTP/1.1 200 X\r\n${'a:b\r\n'.repeat(199)}Content-Length: 2\r\n\r\nok`);
    expect([passed.match(/^a: b\r$/gm)?.length, bodyOf(passed)]).toEqual([199, 'ok']);
  });

  it.each([
    ['more than 200 headers', `${'a:b\r\n'.repeat(200)}`],
    ['thousands of headers', `${'a:b\r\n'.repeat(4_000)}`],
    ['headers of more than 32 KiB, quoted as JSON', `X-Long: ${'"'.repeat(30_000)}\r\n`],
  ])('with %s becomes 502 with the reason, and the tunnel stays connected', async (_what, lines) => {
    const refused = await visitRaw(`HTTP/1.1 200 X\r\n${lines}Content-Length: 2\r\n\r\nok`);
    expect(refused).toMatch(/^HTTP\/1\.1 502 /);
    expect(bodyOf(refused)).toMatch(/the response has (more than 200 headers|headers of more than 32 KiB)/);
    expect(bodyOf(await visitRaw(OK))).toBe('ok');
  });

  it('has no length when it has no body, so nobody waits for one', async () => {
    const passed = await visitRaw('HTTP/1.1 204 X\r\nContent-Length: 5\r\nX-Kept: yes\r\n\r\n');
    expect(passed).toMatch(/^HTTP\/1\.1 204 .*X-Kept: yes/s);
    expect(passed.toLowerCase()).not.toContain('content-length');
  });

  it('ends with its length: what follows is not another response', async () => {
    expect(bodyOf(await visitRaw(`${OK}HTTP/1.1 200 X\r\nSet-Cookie: a=b\r\nContent-Length: 2\r\n\r\nno`))).toBe('ok');
  });

  it('cannot set a cookie or a rule in its trailers or in an interim response', async () => {
    const chunks = '2\r\nok\r\n0\r\nSet-Cookie: a=b\r\nAlt-Svc: h3=":1"\r\n\r\n';
    const head = 'HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\nTrailer: Set-Cookie, Alt-Svc\r\n\r\n';
    const passed = await visitRaw(`HTTP/1.1 103 X\r\nSet-Cookie: c=d\r\n\r\n${head}${chunks}`);
    expect(passed).toMatch(/^HTTP\/1\.1 200 .*ok/s);
    expect(passed).not.toMatch(/set-cookie|alt-svc|trailer/i);
  });

  it('cannot remove the sandbox with Connection', async () => {
    const names = 'content-security-policy, x-content-type-options, content-length, x-kept';
    const passed = await visitRaw(
      `HTTP/1.1 200 X\r\nConnection: ${names}\r\nX-Kept: no\r\nContent-Length: 2\r\n\r\nok`,
    );
    expect(passed).toMatch(/Content-Security-Policy: sandbox (?!.*allow-same-origin)/);
    expect(passed).toContain('X-Content-Type-Options: nosniff');
    expect(passed).not.toContain('X-Kept');
  });
});
