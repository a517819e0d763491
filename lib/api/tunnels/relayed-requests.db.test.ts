import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database/use-database';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { waitFor } from '@/tests/http/receiver';
import { echo, type Received, readAll, startLocal } from '@/tests/tunnel/local-server';
import { clientOf, connectClient, makeTunnel, useTunnelServer } from '@/tests/tunnel/tunnel-server';
import { begin, visit } from '@/tests/tunnel/visit';

useDatabase();
const server = useTunnelServer();
let project: TestProject;
beforeAll(async () => {
  project = await makeTestProject();
});

/** Connects a client of a new tunnel to a local server, and returns the public address. */
async function tunnelTo(listener: Parameters<typeof startLocal>[0]): Promise<string> {
  const [tunnel, local] = [await makeTunnel(project), await startLocal(listener)];
  await connectClient(clientOf(server.origin, tunnel, local.url));
  return `${server.origin}${tunnel.prefix}`;
}

const echoed = (body: Buffer) => JSON.parse(body.toString('utf8')) as Omit<Received, 'body'> & { body: string };

describe('a request through a tunnel', () => {
  it('arrives at the local server with its method, path, query and body', async () => {
    const url = await tunnelTo(echo);
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      const body = ['POST', 'PUT', 'PATCH'].includes(method) ? 'some text' : undefined;
      const response = await visit(`${url}/a%2Fb//c/../d?x=1&x=%20&y`, { method, ...(body ? { body } : {}) });
      expect(response.status).toBe(200);
      const received = echoed(response.body);
      expect([received.method, Buffer.from(received.body, 'base64').toString()]).toEqual([method, body ?? '']);
    }
    const { path } = echoed((await visit(`${url}?only=query`)).body);
    expect(path).toBe('/?only=query');
  });

  it('cannot end the tunnel with the name of a header, however long', async () => {
    const url = await tunnelTo(echo);
    const name = 'x'.repeat(10_000);
    const response = await visit(url, { headers: { [name]: 'long' } });
    expect(response.status).toBe(200);
    expect(echoed(response.body).rawHeaders).toContain(name);
    expect((await visit(url)).status).toBe(200);
  });

  it('cannot end the tunnel by hanging up on a response in single bytes', async () => {
    const url = await tunnelTo((message, response) => {
      if (message.url === '/whole') return void response.end('whole');
      const chunks = '1\r\nx\r\n'.repeat(200_000);
      message.socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`);
    });
    for (let times = 0; times < 10; times++) {
      const { response, request } = await begin(`${url}/bytes`);
      await once(response, 'data');
      request.destroy();
    }
    await sleep(300);
    expect((await visit(`${url}/whole`)).status).toBe(200);
  });

  it('keeps every byte of any body and header, in both directions', async () => {
    const url = await tunnelTo(async (message, response) => {
      const { rawHeaders, body } = await readAll(message);
      const at = rawHeaders.findIndex((name) => name.toLowerCase() === 'x-value');
      response.writeHead(200, { 'X-Value': rawHeaders[at + 1] ?? '' }).end(body);
    });
    const value = fc.string({
      unit: fc
        .integer({ min: 0x21, max: 0xff })
        .filter((code) => code < 0x7f || code > 0x9f)
        .map((code) => String.fromCharCode(code)),
      maxLength: 200,
    });
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200_000, size: 'max' }), value, async (bytes, text) => {
        const response = await visit(url, { method: 'POST', headers: { 'X-Value': text }, body: Buffer.from(bytes) });
        expect(response.body.equals(Buffer.from(bytes))).toBe(true);
        expect(response.headers['x-value']).toBe(text);
      }),
      { numRuns: 40 },
    );
  });

  it('keeps repeated headers apart, in their order', async () => {
    const url = await tunnelTo((_message, response) => {
      response.writeHead(200, ['X-A', '1', 'X-B', '2', 'X-A', '3']).end();
    });
    const { rawHeaders } = await visit(url);
    const ours = rawHeaders.flatMap((name, at) => (/^X-[AB]$/.test(name) ? [[name, rawHeaders[at + 1]]] : []));
    expect(ours).toEqual([
      ['X-A', '1'],
      ['X-B', '2'],
      ['X-A', '3'],
    ]);
  });

  it('gets the status and the body of HEAD, 204 and 304 right', async () => {
    const url = await tunnelTo((message, response) => {
      response.statusCode = Number(message.url?.slice(1)) || 200;
      if (message.method === 'HEAD') response.setHeader('Content-Length', '1234');
      response.end();
    });
    const head = await visit(url, { method: 'HEAD' });
    expect([head.status, head.headers['content-length'], head.body.length]).toEqual([200, '1234', 0]);
    expect((await visit(`${url}/204`)).status).toBe(204);
    expect((await visit(`${url}/304`)).status).toBe(304);
    expect((await visit(`${url}/500`)).status).toBe(500);
  });

  it('carries 10 MiB in both directions, and refuses more with 413', async () => {
    const url = await tunnelTo((message, response) => void message.pipe(response));
    const body = Buffer.alloc(10 * 1024 * 1024, 'x');
    const response = await visit(url, { method: 'POST', body });
    expect(response.body.equals(body)).toBe(true);
    const declared = await visit(url, { method: 'POST', body: Buffer.concat([body, Buffer.from('y')]) });
    expect([declared.status, declared.code]).toEqual([413, 'payload_too_large']);
  });

  it('is refused with 413 when a body without a length turns out to be too large', async () => {
    const url = await tunnelTo(echo);
    const body = Buffer.alloc(11 * 1024 * 1024);
    const response = await visit(url, { method: 'POST', headers: { 'Transfer-Encoding': 'chunked' }, body });
    expect([response.status, response.code]).toEqual([413, 'payload_too_large']);
  });

  it('gets each server-sent event when it is sent', async () => {
    const url = await tunnelTo(async (_message, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      for (let count = 1; count <= 3; count++) {
        response.write(`data: ${count}\n\n`);
        await sleep(150);
      }
      response.end();
    });
    const { response } = await begin(url);
    const arrivals: [string, number][] = [];
    for await (const chunk of response) arrivals.push([String(chunk), performance.now()]);
    expect(arrivals.map(([text]) => text)).toEqual(['data: 1\n\n', 'data: 2\n\n', 'data: 3\n\n']);
    expect((arrivals[2]?.[1] ?? 0) - (arrivals[0]?.[1] ?? 0)).toBeGreaterThan(200);
  });

  it('is canceled at the local server when the public hangs up', async () => {
    let closed = 0;
    const url = await tunnelTo((_message, response) => {
      response.once('close', () => {
        closed += 1;
      });
      response.write('begun');
    });
    const { request } = await begin(url);
    request.destroy();
    await waitFor('the end of the local request', () => closed === 1);
  });

  it('gets 502 with the reason when the local server is down', async () => {
    const [tunnel, local] = [await makeTunnel(project), await startLocal(echo)];
    await connectClient(clientOf(server.origin, tunnel, local.url));
    await local.close();
    const response = await visit(`${server.origin}${tunnel.prefix}/x`);
    expect([response.status, response.body.toString()]).toEqual([502, expect.stringContaining('ECONNREFUSED')]);
  });

  it('gets 502 tunnel_offline when no client is connected, and 404 when there is no tunnel', async () => {
    const tunnel = await makeTunnel(project);
    const offline = await visit(`${server.origin}${tunnel.prefix}/`);
    expect([offline.status, offline.code]).toEqual([502, 'tunnel_offline']);
    for (const token of ['a'.repeat(43), newId(), '~peer']) {
      const unknown = await visit(`${server.origin}/t/${token}/`);
      expect([unknown.status, unknown.code], token).toEqual([404, 'not_found']);
    }
  });

  it('redirects to the public address when the local server redirects to itself', async () => {
    const url = await tunnelTo((message, response) => {
      const { host } = message.headers;
      const where = message.url === '/absolute' ? `http://${host}/there?a=1` : '/there?a=1';
      response.writeHead(302, { Location: where }).end();
    });
    const { pathname } = new URL(url);
    for (const path of ['/absolute', '/path']) {
      expect((await visit(`${url}${path}`)).headers.location).toBe(`${pathname}/there?a=1`);
    }
  });
});
