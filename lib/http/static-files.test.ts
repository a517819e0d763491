import fs from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createStaticFiles, IMMUTABLE } from './static-files';

const SCRIPT = 'let a = 1;'.repeat(100);
let folder: string;
let server: Server;

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'static-files-'));
  fs.mkdirSync(path.join(folder, 'static/chunks'), { recursive: true });
  const write = (name: string, content: string | Buffer) => fs.writeFileSync(path.join(folder, name), content);
  write('static/chunks/a.js', SCRIPT);
  write('static/chunks/a.js.br', brotliCompressSync(SCRIPT));
  write('static/chunks/a.js.gz', gzipSync(SCRIPT));
  write('static/chunks/a.js.map', '{}');
  write('secret.js', 'secret');
  write('static/chunks/gone.js', 'gone');
  const build = { folder: path.join(folder, 'static'), prefix: '/_next/static/', cacheControl: IMMUTABLE };
  const serve = createStaticFiles([build]);
  fs.rmSync(path.join(folder, 'static/chunks/gone.js'));
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

it.each([
  ['gzip', 'gzip', gunzipSync],
  ['gzip, br;q=0', 'gzip', gunzipSync],
  ['', undefined, (content: Buffer) => content],
] as const)('sends what a client accepts: %s', async (accepted, coding, decode) => {
  const { status, headers, content } = await get('/_next/static/chunks/a.js', { 'accept-encoding': accepted });
  expect([status, headers['content-encoding']]).toEqual([200, coding]);
  expect(decode(content).toString()).toBe(SCRIPT);
});

it('sends a file that was not compressed as it is', async () => {
  const { status, headers, content } = await get('/_next/static/chunks/a.js.map', BROTLI);
  expect([status, headers['content-encoding'], content.toString()]).toEqual([200, undefined, '{}']);
});

it.each([
  ['a file that a later build removed', '/_next/static/chunks/gone.js'],
  ['a path without a file', '/_next/static/chunks/b.js'],
  ['a folder', '/_next/static/chunks'],
  ['a path out of the folder', '/_next/static/../secret.js'],
  ['an encoded path out of the folder', '/_next/static/%2e%2e/secret.js'],
])('leaves %s to Next', async (_name, url) => {
  expect((await get(url, BROTLI)).status).toBe(204);
});
