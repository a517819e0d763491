import { beforeEach, describe, expect, it } from 'vitest';
import { setOnce } from '@/lib/platform/globals';
import { setTestConfig } from '@/tests/setup/variables';
import { refuseWeakPassword } from './password-policy';

const EMAIL = 'ada.lovelace@example.com';
const check = (password: string) => refuseWeakPassword(password, EMAIL);
const refusal = { code: 'validation_failed', options: { errors: [{ path: 'password' }] } };

describe('a password', () => {
  beforeEach(() => {
    setTestConfig();
  });

  it.each(['correct horse battery', 'aaaaaaaaab', 'ten chars!', 'p'.repeat(72), 'ü'.repeat(36), '🔑🗝'.repeat(9)])(
    'may be %s, without composition rules',
    async (password) => {
      await expect(check(password)).resolves.toBeUndefined();
    },
  );

  it.each([
    ['nine char', 'shorter than ten characters'],
    ['🔑'.repeat(9), 'nine characters in 18 code units'],
    ['p'.repeat(73), 'longer than the 72 bytes bcrypt reads'],
    ['ü'.repeat(37), '74 bytes in 37 characters'],
    ['p'.repeat(129), 'longer than 128 characters'],
    ['password123', 'common'],
    ['PassWord123', 'common in another case'],
    ['qwertyuiop', 'common'],
    [' qwertyuiop ', 'common between spaces'],
    ['aaaaaaaaaa', 'one character repeated'],
    ['aAaAaAaAaA', 'one letter repeated'],
    ['🔑'.repeat(18), 'one character of two code units repeated'],
    [' '.repeat(10), 'spaces alone'],
    [' \t\u3000'.repeat(12), 'spaces alone, of several kinds'],
    ['null\0character', 'bcrypt would treat its repetition alike'],
    ['half\ud800character', 'UTF-8 would treat another lone surrogate alike'],
    [EMAIL, 'the address'],
    [' Ada.Lovelace@Example.com', 'the address in another spelling'],
  ])('may not be %s: %s', async (password) => {
    await expect(check(password)).rejects.toMatchObject(refusal);
  });

  it('may have eight characters when the deployment allows them', async () => {
    setTestConfig({ AUTH_PASSWORD_MIN_LENGTH: '8' });
    await expect(check('seven ch')).resolves.toBeUndefined();
    await expect(check('seven c')).rejects.toMatchObject(refusal);
    setOnce('common-passwords', undefined);
    await expect(check('password')).rejects.toMatchObject(refusal);
    setOnce('common-passwords', undefined);
  });

  it('must have the minimum length that the deployment sets', async () => {
    setTestConfig({ AUTH_PASSWORD_MIN_LENGTH: '14' });
    await expect(check('thirteen char')).rejects.toMatchObject(refusal);
    await expect(check('fourteen chars')).resolves.toBeUndefined();
  });

  it('is reported under the name of its field', async () => {
    await expect(refuseWeakPassword('short', EMAIL, 'newPassword')).rejects.toMatchObject({
      options: { errors: [{ path: 'newPassword' }] },
    });
  });
});
