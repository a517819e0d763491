import fs from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createStaticFiles } from './static-files';

const SCRIPT = 'let a = 1;'.repeat(100);
let folder: string;
let server: Server;

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'static-files-'));
  fs.mkdirSync(path.join(folder, 'static/chunks'), { recursive: true });
  fs.writeFileSync(path.join(folder, 'static/chunks/a.js.br'), brotliCompressSync(SCRIPT));
  fs.writeFileSync(path.join(folder, 'secret.js.br'), brotliCompressSync('secret'));
  fs.writeFileSync(path.join(folder, 'static/chunks/gone.js.br'), brotliCompressSync('gone'));
  const serve = createStaticFiles(path.join(folder, 'static'), '/_next/static/');
  fs.rmSync(path.join(folder, 'static/chunks/gone.js.br'));
  server = createServer((message, response) => {
    void serve(message, response, message.url ?? '').then((served) => served || response.writeHead(204).end());
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
});

afterAll(() => {
  server.close();
  fs.rmSync(folder, { recursive: true });
});

function get(url: string, headers: Record<string, string>, method = 'GET') {
  const { port } = server.address() as AddressInfo;
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; content: Buffer }>(
    (resolve, reject) => {
      request({ host: '127.0.0.1', port, path: url, method, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, content: Buffer.concat(chunks) }),
        );
      })
        .on('error', reject)
        .end();
    },
  );
}

const BROTLI = { 'accept-encoding': 'gzip, deflate, br' };

it('sends a compressed script, for ever cacheable, with its media type', async () => {
  const { status, headers, content } = await get('/_next/static/chunks/a.js', BROTLI);
  expect(status).toBe(200);
  expect(brotliDecompressSync(content).toString()).toBe(SCRIPT);
  expect(headers).toMatchObject({
    'content-type': 'application/javascript; charset=UTF-8',
    'content-encoding': 'br',
    'content-length': String(content.length),
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'Accept-Encoding',
  });
});

it('sends only the headers to HEAD', async () => {
  const { status, headers, content } = await get('/_next/static/chunks/a.js', BROTLI, 'HEAD');
  expect([status, headers['content-encoding'], content.length]).toEqual([200, 'br', 0]);
});

it.each<[string, string, Record<string, string>]>([
  ['a client without brotli', '/_next/static/chunks/a.js', { 'accept-encoding': 'gzip' }],
  ['a client that refuses brotli', '/_next/static/chunks/a.js', { 'accept-encoding': 'gzip, br;q=0' }],
  ['a client that accepts nothing in particular', '/_next/static/chunks/a.js', {}],
  ['a request for a part', '/_next/static/chunks/a.js', { ...BROTLI, range: 'bytes=0-9' }],
  ['a file that a later build removed', '/_next/static/chunks/gone.js', BROTLI],
  ['a file that is not compressed', '/_next/static/chunks/b.js', BROTLI],
  ['a path out of the folder', '/_next/static/../secret.js', BROTLI],
  ['an encoded path out of the folder', '/_next/static/%2e%2e/secret.js', BROTLI],
])('leaves %s to Next', async (_name, url, headers) => {
  expect((await get(url, headers)).status).toBe(204);
});
