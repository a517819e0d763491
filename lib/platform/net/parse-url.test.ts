import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseUrl } from './parse-url';

const LONG = Array(127).fill('a').join('.');
/** Different letters: each of them costs as much as the host is long. */
const LETTERS = String.fromCodePoint(...Array.from({ length: 254 }, (_, index) => 0x4e00 + index));

describe('parseUrl', () => {
  it('parses what the URL Standard parses', () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl({ withFragments: true, withQueryParameters: true }), fc.string()), (text) => {
        expect(parseUrl(text)?.href).toBe(URL.canParse(text) ? new URL(text).href : undefined);
      }),
    );
  });

  it.each(['https://', 'HTTP:', 'http:\\\\', ' http:/', 'ht\ntp://', 'https://user:pass@', 'wss://'])(
    'refuses a host of 254 characters after %j, and parses one of 253',
    (start) => {
      const chars = start.endsWith('@') || start.endsWith('/') ? '/x?y#z' : '';
      expect(parseUrl(`${start}${LONG}:8443${chars}`)?.port).toBe('8443');
      expect(parseUrl(`${start}${LETTERS}:8443${chars}`)).toBeNull();
      expect(parseUrl(`${start}${LONG}.a:8443`)).toBeNull();
    },
  );

  it('refuses a host that has 254 characters once it is converted', () => {
    expect(parseUrl(`https://${'a'.repeat(253)}/`)?.hostname).toHaveLength(253);
    expect(parseUrl(`https://${LETTERS.slice(0, 200)}/`)).toBeNull();
  });

  it('refuses a long host whose letters are percent-encoded', () => {
    expect(parseUrl(`https://${encodeURIComponent(LETTERS)}/`)).toBeNull();
    expect(parseUrl(`https://${encodeURIComponent(LETTERS.slice(0, 10))}/`)?.hostname).toMatch(/^xn--/);
  });
});
