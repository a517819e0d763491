import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EmailAddress, foldEmail } from './email-address';

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
