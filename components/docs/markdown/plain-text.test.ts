import { lexer } from 'marked';
import { expect, it } from 'vitest';
import { paragraphsOf, plainText } from './plain-text';

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
