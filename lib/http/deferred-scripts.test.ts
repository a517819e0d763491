import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { deferScripts, withDeferredScripts } from './deferred-scripts';

const PAGE = [
  '<html><head><link rel="preload" as="script" fetchPriority="low" nonce="N" href="/_next/static/a.js"/>',
  '<link rel="stylesheet" href="/_next/static/a.css"/>',
  '<script src="/_next/static/b.js" async="" nonce="N"></script></head>',
  '<body><p>Text</p><script nonce="N">self.__next_f.push([1,"data"])</script>',
  '<script src="/_next/static/old.js" noModule="" nonce="N"></script>',
  '<script src="/_next/static/a.js" nonce="N" id="_R_" async=""></script></body></html>',
].join('');

it('replaces the scripts of a page by one that knows them', () => {
  const page = withDeferredScripts(PAGE, 'N');
  expect(page).not.toMatch(/as="script"|src="\/_next\/static\/[ab]\.js"/);
  expect(page).toMatch(/\(\["\/_next\/static\/b\.js","\/_next\/static\/a\.js"\]\)<\/script><\/body><\/html>$/);
  expect(page).toContain('<script nonce="N">(');
});

it('keeps the style sheets, the data and the scripts for old browsers', () => {
  const page = withDeferredScripts(PAGE, 'N');
  for (const kept of ['a.css"', '__next_f.push([1,"data"])', 'old.js" noModule=""', '<p>Text</p>']) {
    expect(page).toContain(kept);
  }
});

it('leaves a page without scripts as it is', () => {
  expect(withDeferredScripts('<html><body></body></html>', 'N')).toBe('<html><body></body></html>');
});

it('cannot be ended by a source', () => {
  const page = withDeferredScripts('<body><script src="/a</script>"></script></body>', 'N');
  expect(page).not.toContain('["/a</script>"]');
});

/** Sends what a handler answers through `deferScripts`. */
async function answer(handler: RequestListener, acceptEncoding: string): Promise<Response> {
  const server = createServer((message, response) => {
    deferScripts(message, response);
    handler(message, response);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}`, {
      headers: { 'accept-encoding': acceptEncoding },
      redirect: 'manual',
    });
    const body = await response.arrayBuffer();
    return new Response(body, { status: response.status, headers: response.headers });
  } finally {
    server.close();
  }
}

const page: RequestListener = (_message, response) => {
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.setHeader('Content-Security-Policy', "script-src 'self' 'nonce-abc='");
  response.write(PAGE.slice(0, 40));
  response.write(Buffer.from(PAGE.slice(40, 90)), () => response.end(PAGE.slice(90)));
};

it.each(['br', 'gzip', 'identity'])('sends a page that is written in pieces, in %s', async (coding) => {
  const response = await answer(page, coding);
  expect(response.headers.get('vary')).toBe('Accept-Encoding');
  const text = await response.text();
  expect(text).toContain('<script nonce="abc=">(');
  expect(text).toContain('<p>Text</p>');
});

it('leaves the scripts in an error page, which Next renders in the browser', async () => {
  const response = await answer((message, res) => {
    res.statusCode = 404;
    page(message, res);
  }, 'gzip');
  expect([response.status, await response.text()]).toEqual([404, PAGE]);
});

it('changes a page whose headers are sent before its first piece, as Next does', async () => {
  const response = await answer((_message, res) => {
    res.writeHead(201, { 'Content-Type': 'text/html', 'Content-Security-Policy': "script-src 'nonce-abc='" });
    res.write(PAGE);
    res.end();
  }, 'br');
  expect([response.status, response.headers.get('content-encoding')]).toEqual([201, 'br']);
  expect(await response.text()).toContain('<script nonce="abc=">(');
});

it('hides the accepted codings from the handler, which would compress the page itself', async () => {
  const response = await answer((message, res) => res.end(String(message.headers['accept-encoding'])), 'gzip');
  expect(await response.text()).toBe('undefined');
});

it('sends any other content unchanged', async () => {
  const response = await answer((_message, res) => res.writeHead(307, { Location: '/login' }).end('moved'), 'identity');
  expect([response.status, response.headers.get('location')]).toEqual([307, '/login']);
  expect(await response.text()).toBe('moved');
});
