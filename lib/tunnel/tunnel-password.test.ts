import { randomBytes } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { newId } from '@/lib/platform/ids';
import { setTestConfig } from '@/tests/setup/variables';
import { hashTunnelPassword, isTunnelPassword } from './access-policy';

const [first, second] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
const id = newId();

beforeEach(() => {
  setTestConfig({ ENCRYPTION_KEY: first });
});

it('accepts the password, and no other text or hash', () => {
  const hash = hashTunnelPassword(id, 'a long password');
  expect(isTunnelPassword(id, 'a long password', hash)).toBe(true);
  expect(isTunnelPassword(id, 'a long passwore', hash)).toBe(false);
  expect(isTunnelPassword(id, '', hash)).toBe(false);
  expect(isTunnelPassword(id, 'a long password', hash.subarray(1))).toBe(false);
});

it('has a different hash in each tunnel and deployment, so that it cannot be guessed from the table', () => {
  const hash = hashTunnelPassword(id, 'a long password');
  expect(hashTunnelPassword(newId(), 'a long password')).not.toEqual(hash);
  setTestConfig({ ENCRYPTION_KEY: second });
  expect(hashTunnelPassword(id, 'a long password')).not.toEqual(hash);
});

it('stays valid when a key is added in front', () => {
  const hash = hashTunnelPassword(id, 'a long password');
  setTestConfig({ ENCRYPTION_KEY: `${second},${first}` });
  expect(isTunnelPassword(id, 'a long password', hash)).toBe(true);
});
