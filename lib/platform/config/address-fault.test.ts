import { describe, expect, it } from 'vitest';
import { findAddressFault, findCidrFault } from './address-fault';

describe('a CIDR', () => {
  it.each(['10.0.0.0/8', '0.0.0.0/0', '203.0.113.7/32', 'fd00::/8', '::/0', '::1/128'])('may be %s', (text) => {
    expect(findCidrFault(text)).toBeNull();
  });

  it.each([
    ...['10.0.0.0/33', '10.0.0.0/99', '::/129', '10.0.0.0', '10/8', '10.0.0/8', '0x0a.0.0.0/8', ':::/8', '1.2.3.4.5/8'],
    ...[
      '10.0.0.0/',
      '/8',
      '10.0.0.0/8/8',
      '10.0.0.0/-1',
      '10.0.0.0/8.5',
      '10.0.0.0/ 8',
      'fe80::1%eth0/64',
      'localhost/8',
    ],
  ])('may not be %s', (text) => {
    expect(findCidrFault(text)).toMatch(/^must /);
  });
});

describe('an address', () => {
  it.each(['10.0.0.1', '::1', '2001:db8::1', '10.0.0.0/8'])('may be %s', (text) => {
    expect(findAddressFault(text)).toBeNull();
  });

  it.each(['1.2.3.4.5', ':::', '10', '0x7f.1', '256.1.1.1', 'fe80::1%eth0', '10.0.0.0/99', 'localhost', '1.2.3.4:80'])(
    'may not be %s',
    (text) => {
      expect(findAddressFault(text)).toMatch(/^must /);
    },
  );
});
