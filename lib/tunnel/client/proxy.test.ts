import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startConnectProxy } from '@/tests/tunnel/connect-proxy';
import { echo, startLocal } from '@/tests/tunnel/local-server';
import { chooseProxy, connectThroughProxy } from './proxy';

const PROXIES = { HTTPS_PROXY: 'http://secure.proxy:3128', HTTP_PROXY: 'http://plain.proxy:3128' };
const choose = (url: string, env: Record<string, string>) => chooseProxy(new URL(url), env)?.href ?? null;
const withExceptions = (url: string, noProxy: string) => choose(url, { ...PROXIES, NO_PROXY: noProxy }) === null;

describe('the proxy of a URL', () => {
  it.each([
    ['https://a.example', 'http://secure.proxy:3128/'],
    ['wss://a.example', 'http://secure.proxy:3128/'],
    ['http://a.example', 'http://plain.proxy:3128/'],
    ['ws://a.example', 'http://plain.proxy:3128/'],
  ])('of %s is %s', (url, proxy) => {
    expect(choose(url, PROXIES)).toBe(proxy);
  });

  it('is none without the variables, and with empty ones', () => {
    expect(choose('wss://a.example', {})).toBeNull();
    expect(choose('wss://a.example', { HTTPS_PROXY: '', HTTP_PROXY: '' })).toBeNull();
    expect(choose('ws://a.example', { HTTPS_PROXY: 'http://secure.proxy' })).toBeNull();
  });

  it('is that of HTTP_PROXY when there is no other', () => {
    expect(choose('wss://a.example', { HTTP_PROXY: 'http://plain.proxy' })).toBe('http://plain.proxy/');
  });

  it('is named by the variable in lower case first', () => {
    expect(choose('wss://a.example', { ...PROXIES, https_proxy: 'http://lower.proxy' })).toBe('http://lower.proxy/');
  });

  it('may lack its scheme', () => {
    expect(choose('wss://a.example', { HTTPS_PROXY: 'proxy.corp:3128' })).toBe('http://proxy.corp:3128/');
  });

  it.each(['socks5://me:secret@proxy.corp:1080', 'http://', '://secret', 'http://me:secret@pro xy'])(
    'is refused when it is %s, without its password',
    (proxy) => {
      expect(() => choose('wss://a.example', { HTTPS_PROXY: proxy })).toThrow(/^(?!.*secret).*must be URLs of HTTP/);
    },
  );
});

describe('this machine is never reached through a proxy', () => {
  it.each([
    'http://localhost:3000',
    'http://LOCALHOST.:3000',
    'http://app.localhost',
    'http://127.0.0.1:3000',
    'http://127.9.9.9',
    'https://[::1]:3000',
    'http://[::ffff:127.0.0.1]',
  ])('%s', (url) => {
    expect(choose(url, PROXIES)).toBeNull();
  });

  it.each(['http://localhost.example', 'http://mylocalhost', 'http://128.0.0.1', 'http://[::2]'])(
    'and %s is not this machine',
    (url) => {
      expect(choose(url, PROXIES)).not.toBeNull();
    },
  );
});

describe('NO_PROXY', () => {
  it.each([
    ['a.example', 'wss://a.example'],
    ['a.example', 'wss://deep.in.a.example'],
    ['.a.example', 'wss://deep.a.example'],
    ['.a.example', 'wss://a.example'],
    ['*.a.example', 'wss://deep.a.example'],
    ['A.Example.', 'wss://a.example'],
    ['b.example, a.example', 'wss://a.example'],
    ['b.example a.example', 'wss://a.example'],
    ['a.example:443', 'wss://a.example'],
    ['a.example:80', 'ws://a.example'],
    ['a.example:8443', 'wss://a.example:8443'],
    ['*', 'wss://a.example'],
    ['192.0.2.7', 'ws://192.0.2.7'],
    ['192.0.2.0/24', 'ws://192.0.2.7'],
    ['2001:db8::7', 'ws://[2001:db8::7]'],
    ['[2001:db8::7]:8080', 'ws://[2001:db8::7]:8080'],
    ['2001:db8::/32', 'ws://[2001:db8::7]'],
  ])('%s covers %s', (noProxy, url) => {
    expect(withExceptions(url, noProxy)).toBe(true);
  });

  it.each([
    ['', 'wss://a.example'],
    [',', 'wss://a.example'],
    ['a.example', 'wss://ba.example'],
    ['a.example', 'wss://a.example.org'],
    ['a.example:443', 'wss://a.example:8443'],
    ['.', 'wss://a.example'],
    ['2.7', 'ws://192.0.2.7'],
    ['192.0.2.0/24', 'ws://192.0.3.7'],
    ['192.0.2.0/24', 'ws://a.example'],
    ['192.0.2.0/99', 'ws://192.0.2.7'],
    ['a.example/24', 'ws://a.example'],
    ['[2001:db8::7]:8080', 'ws://[2001:db8::7]'],
    ['a*', 'wss://a.example'],
  ])('%j does not cover %s', (noProxy, url) => {
    expect(withExceptions(url, noProxy)).toBe(false);
  });
});

describe('a connection through a proxy', () => {
  const through = async (url: string) => {
    const { port } = await startConnectProxy();
    return connectThroughProxy({ proxy: new URL(`http://127.0.0.1:${port}`), url: new URL(url), timeoutMs: 100 });
  };

  it('a proxy that does not answer is given up after the time', async () => {
    await expect(through('ws://nowhere.example')).rejects.toThrow(
      /^The proxy http:\/\/127\.0\.0\.1:\d+ did not answer in time\.$/,
    );
  });

  it('a connection through a proxy lasts longer than that time', async () => {
    const { port } = await startLocal(echo);
    const socket = await through(`ws://127.0.0.1:${port}`);
    await sleep(200);
    socket.write('GET /late HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    const [received] = await once(socket, 'data');
    expect(String(received)).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  });
});
