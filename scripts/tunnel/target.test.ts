import { expect, it } from 'vitest';
import { readTarget } from './target';

it.each([
  ['8080', 'http://127.0.0.1:8080/'],
  ['http://localhost:8080', 'http://localhost:8080/'],
  ['https://shop.test', 'https://shop.test/'],
])('the target %s is %s', (text, url) => {
  expect(readTarget(text)?.href).toBe(url);
});

it.each([undefined, '', 'shop', '99999', '0', 'ftp://shop.test', 'http://shop.test/path', 'http://a:b@shop.test'])(
  'the target %s is refused',
  (text) => {
    expect(readTarget(text)).toBeNull();
  },
);
