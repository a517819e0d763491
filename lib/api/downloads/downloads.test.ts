import { readFileSync } from 'node:fs';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import manifest from '@/package.json' with { type: 'json' };
import { useWebServer } from '@/tests/http/adapters';
import { builtPackage } from '@/tests/package/built-package';
import { setTestConfig } from '@/tests/setup/variables';

const server = useWebServer();
let file: Buffer;

beforeAll(async () => {
  file = readFileSync(await builtPackage());
});
beforeEach(() => {
  setTestConfig();
});

const send = (init: RequestInit = {}, path = '/downloads/eds.tgz') =>
  fetch(`http://127.0.0.1:${server.port()}${path}`, init);
const headersOf = ({ headers }: Response, ...names: string[]) => names.map((name) => headers.get(name));

describe('GET /downloads/eds.tgz', () => {
  it('returns the npm package, to anyone', async () => {
    const response = await send();
    expect(response.status).toBe(200);
    expect(headersOf(response, 'content-type', 'content-length', 'cache-control', 'content-disposition')).toEqual([
      'application/gzip',
      String(file.length),
      'no-cache',
      `attachment; filename="event-delivery-client-${manifest.version}.tgz"`,
    ]);
    expect(Buffer.from(await response.arrayBuffer()).equals(file)).toBe(true);
  });

  it('does not send it again to a client that has it', async () => {
    const tag = (await send()).headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[\w-]{22}"$/);
    for (const given of [tag, `W/${tag}`, `"other", ${tag}`]) {
      const again = await send({ headers: { 'if-none-match': given } });
      expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', tag]);
    }
    expect((await send({ headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  it('answers HEAD with the same headers and no body', async () => {
    const names = ['content-type', 'content-length', 'etag', 'cache-control', 'content-disposition'];
    const head = await send({ method: 'HEAD' });
    const get = await send();
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(headersOf(head, ...names)).toEqual(headersOf(get, ...names));
  });

  it('is the only download', async () => {
    for (const path of ['/downloads', '/downloads/', '/downloads/eds', '/downloads/eds.tgz/x']) {
      const response = await send({}, path);
      expect([response.status, response.headers.get('content-type')], path).toEqual([404, 'application/problem+json']);
    }
  });
});
