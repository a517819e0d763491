import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { setOnce } from '@/lib/platform/globals';
import { setTestConfig } from '@/tests/setup/variables';
import { EmailAddress, foldEmail } from './email-address';
import { describeClient } from './notices';
import { refuseWeakPassword } from './password-policy';

describe('spellings of one address', () => {
  it.each([
    ['Ada@Example.COM', 'ada@example.com'],
    ['  ada@example.com\n', 'ada@example.com'],
    ['\u00a0ada@example.com\u3000', 'ada@example.com'],
    ['ａｄａ＠example.com', 'ada@example.com'],
    ['ada@e\u0301xample.com', 'ada@xn--xample-9ua.com'],
    ['ada@M\u00dcNCHEN.example', 'ada@xn--mnchen-3ya.example'],
    ['ada@xn--mnchen-3ya.example', 'ada@xn--mnchen-3ya.example'],
    ['\u212aelvin@example.com', 'kelvin@example.com'],
  ])('folds %j to %j', (typed, folded) => {
    expect(EmailAddress.parse(typed)).toBe(folded);
  });

  it('does not convert a domain that is longer than any', () => {
    expect(foldEmail(`ada@${'ü.'.repeat(20)}`)).toContain('@xn--');
    expect(foldEmail(`ada@${'ü.'.repeat(127)}`)).toBe(`ada@${'ü.'.repeat(127)}`);
  });

  it('keeps addresses apart that only look alike', () => {
    expect(foldEmail('\u0430da@example.com')).not.toBe(foldEmail('ada@example.com'));
    expect(foldEmail('a.da@example.com')).not.toBe(foldEmail('ada@example.com'));
    expect(foldEmail('ada+1@example.com')).not.toBe(foldEmail('ada@example.com'));
  });

  it('folding a folded text changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(foldEmail(foldEmail(text))).toBe(foldEmail(text));
      }),
    );
  });
});

describe('an email address', () => {
  it.each(['a@b.co', "o'neil+tag@mail.example.museum", 'user_1-x@sub-domain.example.com', 'jürgen@müller.example'])(
    'may be %s',
    (address) => {
      expect(EmailAddress.safeParse(address).success).toBe(true);
    },
  );

  it.each([
    '',
    'ada',
    '@example.com',
    'ada@',
    'ada@example',
    'ada@@example.com',
    'ada@example.com@evil.example',
    'ada b@example.com',
    'ada@exa mple.com',
    'ada@-example.com',
    'ada@example..com',
    '.ada@example.com',
    'ada..b@example.com',
    'Ada <ada@example.com>',
    'ada@example.com, eve@example.com',
    'ada@example.com\r\nBcc: eve@example.com',
    'ada\0@example.com',
    '"ada"@example.com',
    'ada@[127.0.0.1]',
  ])('may not be %j', (text) => {
    expect(EmailAddress.safeParse(text).success).toBe(false);
  });

  it('may have 254 characters, not 255', () => {
    const ofLength = (length: number) => {
      const local = 'a'.repeat(64);
      const rest = length - local.length - '@'.length - '.com'.length;
      const labels = 'b'
        .repeat(60)
        .concat('.')
        .repeat(4)
        .slice(0, rest - 1);
      return `${local}@${labels}c.com`;
    };
    expect(ofLength(254)).toHaveLength(254);
    expect(EmailAddress.safeParse(ofLength(254)).success).toBe(true);
    expect(EmailAddress.safeParse(ofLength(255)).success).toBe(false);
    expect(EmailAddress.safeParse(`${'a'.repeat(65)}@example.com`).success).toBe(false);
  });
});

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

describe('the description of a client', () => {
  const CHROME_ON_MAC =
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0.0.0 Safari/537.36';

  it('names the IP address, browser and system', () => {
    expect(describeClient({ ipAddress: '203.0.113.7', userAgent: CHROME_ON_MAC })).toEqual([
      'IP address: 203.0.113.7',
      'Device: Chrome on macOS',
    ]);
  });

  it('leaves out what is unknown', () => {
    expect(describeClient({ ipAddress: '2001:db8::7', userAgent: 'Mozilla/5.0 (X11; Linux x86_64)' })).toEqual([
      'IP address: 2001:db8::7',
      'Device: Linux',
    ]);
    expect(describeClient({ ipAddress: null, userAgent: null })).toEqual([]);
  });

  it.each([
    'https://evil.example/',
    'evil.example/1.0',
    'Mozilla/5.0 (evil.example) Call-0800-EVIL/9',
    '\r\nBcc: eve@evil.example',
  ])('repeats no text of the sender: %j', (userAgent) => {
    expect(describeClient({ ipAddress: null, userAgent }).join(' ')).not.toMatch(/evil/i);
  });
});
