import { expect, it } from 'vitest';
import { headingId } from './heading-ids';
import { parseGuide } from './parse-guide';

it('splits a guide into its title, its introduction and its parts', () => {
  const { title, intro, parts } = parseGuide(
    '# Guide\n\nAbout.\n\n## First part\n\nText.\n\n### Detail\n\n## Second\n',
  );
  expect([title, intro.length]).toEqual(['Guide', 1]);
  expect(parts.map(({ id, title, tokens }) => [id, title, tokens.length])).toEqual([
    ['first-part', 'First part', 2],
    ['second', 'Second', 0],
  ]);
});

it('refuses a guide without a title', () => {
  expect(() => parseGuide('Text.')).toThrow('begins with its title');
});

it('makes ids of headings as GitHub does', () => {
  expect(headingId('Verify a signature, `twice`')).toBe('verify-a-signature-twice');
});
