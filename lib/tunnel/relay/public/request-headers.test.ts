import { expect, it } from 'vitest';
import type { HeaderPairs } from '@/lib/platform/net/header-pairs';
import { toLocalHeaders } from './request-headers';

const RULES = {
  clientAddress: '203.0.113.9',
  publicUrl: new URL('https://tunnels.example.com'),
  isOwnOrigin: true,
  hasBasicAuth: false,
};
const namesOf = (headers: HeaderPairs) => toLocalHeaders(headers, RULES).map(([name]) => name);
const SET_HERE = ['X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto'];

it.each(['X-EDS-Source-Id', 'x-eds-incoming-event-id', 'X-EDS-Via'])(
  'the header %s of a forward reaches the local server, as it reaches any destination',
  (name) => {
    expect(namesOf([[name, 'value']])).toEqual([name, ...SET_HERE]);
  },
);

it.each(['X-EDS-Proof', 'x_eds_client_address', 'X-Forwarded-For', 'X_Forwarded_Host', 'Tunnel-Peer-Key'])(
  'the header %s of a visitor does not',
  (name) => {
    expect(namesOf([[name, 'value']])).toEqual(SET_HERE);
  },
);

it.each([
  ['refresh_token=1; a=b;c=d', 'a=b;c=d'],
  ['a=b; __Host-refresh_token=1; c=d', 'a=b; c=d'],
  ['a=b;EDS_x=1', 'a=b'],
  ['a=b; refresh_token = 1', 'a=b'],
  ['a=b; refresh_token', 'a=b'],
  ['a=b; refresh_tokens=1; my_eds_=2', 'a=b; refresh_tokens=1; my_eds_=2'],
  ['__Secure-next-auth.session-token=1;\tnext-auth.csrf-token=2', null],
])('of the cookies %s the local server gets %s', (cookies, kept) => {
  const headers = toLocalHeaders([['Cookie', cookies]], RULES).filter(([name]) => name === 'Cookie');
  expect(headers).toEqual(kept === null ? [] : [['Cookie', kept]]);
});

it('8,000 cookies take at most a millisecond', () => {
  const takenMs = Array.from({ length: 20 }, () => {
    const startedMs = performance.now();
    toLocalHeaders([['Cookie', 'a=b;'.repeat(8_000)]], RULES);
    return performance.now() - startedMs;
  });
  expect(Math.min(...takenMs)).toBeLessThan(1);
});
