import { describe, expect, it } from 'vitest';
import { preferredCoding } from './accept-encoding';

describe('the coding of a response', () => {
  it.each([
    'gzip',
    'GZIP',
    'x-gzip',
    'gzip, deflate, br, zstd',
    'br;q=1.0, gzip;q=0.001',
    'gzip ; q=0.5',
    '*',
    '*;q=0.1',
    'br, *;q=0.5',
    'gzip, identity',
    'gzip;q=0.5',
    'gzip;q=0.8, identity;q=0.5',
    'identity;q=0, gzip',
    'gzip;q=1.000',
  ])('is gzip for %j', (header) => {
    expect(preferredCoding(header)).toBe('gzip');
  });

  it.each([
    '',
    'br',
    'identity',
    'gzip;q=0',
    'gzip;q=0.000',
    '*;q=0',
    'gzip;q=0, *',
    'x-gzip;q=0, *',
    'gzip;q=0.5, identity',
    'gzip;q=0.5, identity;q=0.8',
    '*;q=0.2, identity;q=0.3',
    'gzip;q=2',
    'gzip;q=-1',
    'gzip;q=',
    'gzip;q=0.1234',
    'gzip;level=9',
    'gzip;q=1;q=0',
    'gzipped',
    ',,;',
  ])('is identity for %j', (header) => {
    expect(preferredCoding(header)).toBe('identity');
  });

  it('is identity for a client that does not say what it accepts', () => {
    expect(preferredCoding(null)).toBe('identity');
  });
});
