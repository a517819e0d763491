import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressWithoutLinks, withoutLinks } from './invitation-mail';

describe('a name in a mail', () => {
  it.each([
    ['Engines', 'Engines'],
    ['Dr. Who & Sons', 'Dr. Who & Sons'],
    ["Ada's organization", "Ada's organization"],
    ['Acme Inc.', 'Acme Inc.'],
    ['evil.example', 'evil. example'],
    ['https://evil.example/win', 'https: / / evil. example/ win'],
    ['write to a@evil.example', 'write to a@ evil. example'],
    ['evil．example', 'evil. example'],
    ['evil。example', 'evil。 example'],
    ['two\nlines\u2028three', 'two lines three'],
    ['n'.repeat(61), `${'n'.repeat(60)}…`],
  ])('%j becomes %j', (name, written) => {
    expect(withoutLinks(name)).toBe(written);
  });

  it('never contains anything that a mail program would turn into a link', () => {
    const piece = fc.constantFrom('.', '/', ':', '@', '。', '．', '\u200b', ' ', 'www', 'evil', 'com', '\n', '℀', '😀');
    const name = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.array(piece).map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(name, (text) => {
        const written = withoutLinks(text);
        expect(written).not.toMatch(/[.。:/\\@]\S/u);
        expect(written).not.toMatch(/[\r\n\u2028\u2029]/);
      }),
    );
  });
});

describe('an address in a mail', () => {
  it.each([
    ['ada.lovelace+work@example.com', 'ada.lovelace+work@example.com'],
    ['李@example.com', '李@example.com'],
    ['evil.example/win@example.com', 'evil. example/ win@ example. com'],
    ['a=b?c@example.com', 'a=b?c@ example. com'],
  ])('%s becomes %s', (email, written) => {
    expect(addressWithoutLinks(email)).toBe(written);
  });
});
