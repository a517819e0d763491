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
