import { beforeEach, describe, expect, it } from 'vitest';
import { setOnce } from '@/lib/platform/globals';
import { setTestConfig } from '@/tests/variables';
import { refuseWeakPassword } from './password-policy';

const EMAIL = 'ada.lovelace@example.com';
const check = (password: string) => refuseWeakPassword(password, EMAIL);
const refusal = { code: 'validation_failed', options: { errors: [{ path: 'password' }] } };

describe('a password', () => {
  beforeEach(() => {
    setTestConfig();
  });

  it.each(['correct horse battery', 'aaaaaaaaab', 'ten chars!', 'p'.repeat(72), 'ü'.repeat(36), '🔑🗝'.repeat(9)])(
    '%s is taken: no rule of composition',
    async (password) => {
      await expect(check(password)).resolves.toBeUndefined();
    },
  );

  it.each([
    ['nine char', 'shorter than ten characters'],
    ['🔑'.repeat(9), 'nine characters, though 18 code units'],
    ['p'.repeat(73), 'longer than the 72 bytes bcrypt reads'],
    ['ü'.repeat(37), '74 bytes, though 37 characters'],
    ['p'.repeat(129), 'longer than 128 characters'],
    ['password123', 'common'],
    ['PassWord123', 'common in another case'],
    ['qwertyuiop', 'common'],
    [' qwertyuiop ', 'common between spaces'],
    ['aaaaaaaaaa', 'one character again and again'],
    ['aAaAaAaAaA', 'one letter again and again'],
    ['🔑'.repeat(18), 'one character again and again, though of two code units'],
    [' '.repeat(10), 'spaces alone'],
    [' \t\u3000'.repeat(12), 'spaces alone, of several kinds'],
    ['null\0character', 'bcrypt would take a repetition of it for the same'],
    ['half\ud800character', 'UTF-8 would take another half for the same'],
    [EMAIL, 'the address'],
    [' Ada.Lovelace@Example.com', 'the address in another spelling'],
  ])('%s is refused: %s', async (password) => {
    await expect(check(password)).rejects.toMatchObject(refusal);
  });

  it('has the floor of eight characters where the deployment sets it', async () => {
    setTestConfig({ AUTH_PASSWORD_MIN_LENGTH: '8' });
    await expect(check('seven ch')).resolves.toBeUndefined();
    await expect(check('seven c')).rejects.toMatchObject(refusal);
    setOnce('common-passwords', undefined);
    await expect(check('password')).rejects.toMatchObject(refusal);
    setOnce('common-passwords', undefined);
  });

  it('has the least length that the deployment sets', async () => {
    setTestConfig({ AUTH_PASSWORD_MIN_LENGTH: '14' });
    await expect(check('thirteen char')).rejects.toMatchObject(refusal);
    await expect(check('fourteen chars')).resolves.toBeUndefined();
  });

  it('is named by the field it came in', async () => {
    await expect(refuseWeakPassword('short', EMAIL, 'newPassword')).rejects.toMatchObject({
      options: { errors: [{ path: 'newPassword' }] },
    });
  });
});
