import { describe, expect, it } from 'vitest';
import { preferredCoding } from './accept-encoding';

describe('the coding of a response', () => {
  it.each([
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'gzip'],
    ['br;q=1.0, gzip;q=0.001', 'gzip'],
    ['gzip ; q=0.5', 'gzip'],
    ['*', 'gzip'],
    ['*;q=0.1', 'gzip'],
    ['br, *;q=0.5', 'gzip'],
    ['gzip, identity', 'gzip'],
    ['gzip;q=0.5', 'gzip'],
    ['gzip;q=0.8, identity;q=0.5', 'gzip'],
    ['identity;q=0, gzip', 'gzip'],
    ['gzip;q=1.000', 'gzip'],
    [null, 'identity'],
    ['', 'identity'],
    ['br', 'identity'],
    ['identity', 'identity'],
    ['gzip;q=0', 'identity'],
    ['gzip;q=0.000', 'identity'],
    ['*;q=0', 'identity'],
    ['gzip;q=0, *', 'identity'],
    ['x-gzip;q=0, *', 'identity'],
    ['gzip;q=0.5, identity', 'identity'],
    ['gzip;q=0.5, identity;q=0.8', 'identity'],
    ['*;q=0.2, identity;q=0.3', 'identity'],
    ['gzip;q=2', 'identity'],
    ['gzip;q=-1', 'identity'],
    ['gzip;q=', 'identity'],
    ['gzip;q=0.1234', 'identity'],
    ['gzip;level=9', 'identity'],
    ['gzip;q=1;q=0', 'identity'],
    ['gzipped', 'identity'],
    [',,;', 'identity'],
  ])('to a client that accepts %j is %s', (header, coding) => {
    expect(preferredCoding(header)).toBe(coding);
  });
});
