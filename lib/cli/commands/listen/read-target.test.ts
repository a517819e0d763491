import { expect, it } from 'vitest';
import { readTarget } from './listen';

it.each([
  ['4000', 'http://localhost:4000/', ''],
  [':4000', 'http://localhost:4000/', ''],
  ['4000/webhooks', 'http://localhost:4000/', 'webhooks'],
  ['localhost:4000', 'http://localhost:4000/', ''],
  ['127.0.0.1:4000/hooks/', 'http://127.0.0.1:4000/', 'hooks/'],
  ['[::1]:4000', 'http://[::1]:4000/', ''],
  ['http://localhost:4000', 'http://localhost:4000/', ''],
  ['https://shop.test/hooks/orders', 'https://shop.test/', 'hooks/orders'],
])('reads %s', (text, origin, path) => {
  const target = readTarget(text);
  expect([target.origin.href, target.path]).toEqual([origin, path]);
});

it.each(['', 'shop', '99999', '0', 'ftp://shop.test', 'http://a:b@shop.test', 'http://shop.test/?a=1', '4000 /x'])(
  'refuses “%s”',
  (text) => {
    expect(() => readTarget(text)).toThrow('neither a port nor the URL');
  },
);
