import { lexer } from 'marked';
import { expect, it } from 'vitest';
import { headingId, nameServer, paragraphsOf, parseGuide, plainText } from './parse-guide';

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

it('keeps what a part says in several languages apart, in tabs of their names', () => {
  const { parts } = parseGuide(
    '# Guide\n\n## Code\n\nAll.\n\n### Node\n\nOne.\n\n### Go\n\nTwo.\n\n## Next\n\n### Note\n',
  );
  expect(parts.map(({ title, tokens, languages }) => [title, tokens.length, languages.length])).toEqual([
    ['Code', 1, 2],
    ['Next', 1, 0],
  ]);
  expect(parts[0]?.languages.map(({ id, tokens }) => [id, plainText(tokens)])).toEqual([
    ['node', 'One.'],
    ['go', 'Two.'],
  ]);
});

it('refuses a guide without a title', () => {
  expect(() => parseGuide('Text.')).toThrow('begins with its title');
});

it('makes ids of headings as GitHub does', () => {
  expect(headingId('Verify a signature, `twice`')).toBe('verify-a-signature-twice');
});

it.each([
  ['A `name` and [a *link*](/docs/api) & more.', 'A name and a link & more.'],
  ['- one\n- **two**\n\nThen.', 'one two Then.'],
  ['| A | B |\n|---|---|\n| `c` | d |', 'A · B · c · d'],
  ['```sh\nnpm start\n```', 'npm start'],
])('%j reads %j', (markdown, text) => {
  expect(plainText(lexer(markdown))).toBe(text);
});

it('separates paragraphs and list items, without tables, code and headings', () => {
  const markdown =
    '### Title\n\nFirst *one*:\n\n| A |\n|---|\n| b |\n\n1. two;\n   ```sh\n   npm start\n   ```\n2. three\n   - four\n';
  expect(paragraphsOf(lexer(markdown))).toEqual(['First one:', 'two;', 'three', 'four']);
});

it.each([
  ['curl https://events.example.com/api', 'curl BASE_URL/api'],
  ['APP_BASE_URL=https://events.example.com', 'APP_BASE_URL=https://events.example.com'],
  ['APP_BASE_URL: https://events.example.com', 'APP_BASE_URL: https://events.example.com'],
])('names the reader’s own server in %s, but not as the value of a setting', (code, named) => {
  expect(nameServer(code)).toBe(named);
});
