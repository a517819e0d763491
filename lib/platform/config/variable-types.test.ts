import { describe, expect, it } from 'vitest';
import { findAddressFault, findCidrFault } from './address-fault';
import { findCronFault } from './variable-types';

describe('a CIDR', () => {
  it.each(['10.0.0.0/8', '0.0.0.0/0', '203.0.113.7/32', 'fd00::/8', '::/0', '::1/128'])('may be %s', (text) => {
    expect(findCidrFault(text)).toBeNull();
  });

  it.each([
    '10.0.0.0/33',
    '10.0.0.0/99',
    '::/129',
    '10.0.0.0',
    '10/8',
    '10.0.0/8',
    '0x0a.0.0.0/8',
    ':::/8',
    '1.2.3.4.5/8',
    '10.0.0.0/',
    '/8',
    '10.0.0.0/8/8',
    '10.0.0.0/-1',
    '10.0.0.0/8.5',
    '10.0.0.0/ 8',
    'fe80::1%eth0/64',
    'localhost/8',
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

describe('a cron', () => {
  it.each(['0 2 * * *', '*/30 * * * *', '* * * * * *', '0 0 29 2 *', '15 10 * JAN-MAR MON-FRI', '0 0 L * *'])(
    '%s is taken',
    (cron) => {
      expect(findCronFault(cron)).toBeNull();
    },
  );

  it.each([
    ['99 2 * * *', 'must be a cron; invalid value for minute: 99'],
    ['* * * *', 'must be a cron of five fields, or six with seconds first'],
    ['0 0 1 1 * * 2030', 'must be a cron of five fields, or six with seconds first'],
    ['@daily', 'must be a cron of five fields, or six with seconds first'],
    ['a b c d e', 'must be a cron; '],
    ['5/15 * * * *', 'must be a cron; '],
  ])('%s is refused with the reason', (cron, fault) => {
    expect(findCronFault(cron)).toContain(fault);
  });

  it.each(['0 0 30 2 *', '0 0 0 31 2,4 *'])('%s is refused because it never fires', (cron) => {
    expect(findCronFault(cron)).toBe('must be a cron that fires; no date matches this one');
  });
});
