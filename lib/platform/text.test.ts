import { expect, it } from 'vitest';
import { Name, StorableText } from './text';

it.each(['\u3164', '\u115f\u1160', '\uffa0', '\u2800', '\u200b', '\ufe0f', '\u{e0041}', ' \u2800 \u3164 '])(
  'refuses a name without a visible character: %j',
  (name) => {
    expect(Name.safeParse(name).success).toBe(false);
  },
);

it.each(['Acme', '회사', '⠓⠊', '👩‍👩‍👧', 'e\u0301', 'a\u3164'])(
  'accepts a name with a visible character: %j',
  (name) => {
    expect(Name.safeParse(name).success).toBe(true);
  },
);

it('text that the database cannot search for is refused', () => {
  for (const value of ['a\0', '\ud800', '\udc00b']) expect(StorableText.safeParse(value).success).toBe(false);
  expect(StorableText.safeParse('').success).toBe(true);
});
