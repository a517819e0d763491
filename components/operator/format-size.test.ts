import { expect, it } from 'vitest';
import { formatBytes, formatCount } from './format-size';

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [312_400, '312 kB'],
  [1_240_000_000, '1.2 GB'],
  [5e16, '50000 TB'],
])('formats %d bytes as %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

it('groups counts by thousands', () => expect(formatCount(1_234_567)).toBe('1,234,567'));
