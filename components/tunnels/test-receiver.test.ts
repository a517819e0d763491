import { expect, it } from 'vitest';
import type { Tunnel } from '@/lib/tunnel/schema';
import { findTestReceiver } from './test-receiver';

const tunnel = (url: string | null, status: number | null) =>
  ({ url, testResponse: status === null ? null : { status, delaySeconds: 0 } }) as Tunnel;
const receiver = tunnel('http://localhost:3000/t/abc/', 200);

it('finds the test receiver of an endpoint, with or without a path below its URL', () => {
  for (const url of ['http://localhost:3000/t/abc/', 'http://localhost:3000/t/abc', 'http://localhost:3000/t/abc/a']) {
    expect(findTestReceiver([tunnel(null, 200), receiver], url)).toBe(receiver);
  }
});

it('finds neither an ordinary tunnel nor one with another URL', () => {
  expect(
    findTestReceiver([tunnel('http://localhost:3000/t/abc/', null)], 'http://localhost:3000/t/abc/'),
  ).toBeUndefined();
  expect(findTestReceiver([receiver], 'http://localhost:3000/t/abd/')).toBeUndefined();
});
