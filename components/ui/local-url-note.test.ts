import { expect, it } from 'vitest';
import { isLocalUrl } from './local-url-note';

it.each([
  ['http://localhost:3000/api/v1/ingress/x', true],
  ['http://a.localhost:3000', true],
  ['http://127.0.0.1:3000', true],
  ['http://[::1]:3000', true],
  ['https://events.example.com', false],
  ['http://192.168.1.4:3000', false],
  ['https://localhost.example.com', false],
  ['', false],
])('%s is reached by this computer only: %s', (url, isLocal) => {
  expect(isLocalUrl(url)).toBe(isLocal);
});
