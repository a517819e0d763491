import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeReturnPath } from './return-path-policy';

describe('the path to land on after a sign-in', () => {
  it.each(['/', '/device?userCode=BCDF-GHJK', '/projects/1/events?type=a&b=%2F%2Fx#top', '/apis'])(
    'is the requested page: %s',
    (path) => {
      expect(safeReturnPath(path)).toBe(path);
    },
  );

  it.each([
    null,
    undefined,
    '',
    'projects',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/ /evil.example',
    '/./\t/evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    'https://evil.example/',
    'https:evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    ' /x',
    '/api/v1/auth/oauth/idp',
    '/x/../api/v1/auth/oauth/idp',
    `/${'x'.repeat(1024)}`,
  ])('is the first page for %j', (value) => {
    expect(safeReturnPath(value)).toBe('/');
  });

  it('stays on the origin for any input', () => {
    const part = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '@',
      ':',
      '%2f',
      '%5c',
      '\t',
      ' ',
      'evil.example',
      'https:',
      '?',
      '#',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const landed = new URL(`https://own.example${safeReturnPath(`/${parts.join('')}`)}`);
        expect(landed.origin).toBe('https://own.example');
        expect(new URL(safeReturnPath(`/${parts.join('')}`), 'https://own.example').origin).toBe('https://own.example');
      }),
    );
  });
});
