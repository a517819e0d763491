import { expect, it } from 'vitest';
import type { ApiKey } from '@/lib/keys/schema';
import { keysExpiringSoon } from './present-state';

const now = new Date('2026-11-23T12:00:00.000Z');
const key = (name: string, status: ApiKey['status'], expiresAt: string | null) =>
  ({ id: name, name, status, expiresAt }) as ApiKey;

it('names the working keys that end within 30 days, the first one first', () => {
  const keys = [
    key('later', 'ACTIVE', '2026-12-20T00:00:00.000Z'),
    key('rotating', 'ROTATING', '2026-11-24T12:00:00.000Z'),
    key('next year', 'ACTIVE', '2027-11-24T12:00:00.000Z'),
    key('endless', 'ACTIVE', null),
    key('revoked', 'REVOKED', '2026-11-25T12:00:00.000Z'),
    key('expired', 'EXPIRED', '2026-11-22T12:00:00.000Z'),
  ];
  expect(keysExpiringSoon(keys, now).map(({ name }) => name)).toEqual(['rotating', 'later']);
});
