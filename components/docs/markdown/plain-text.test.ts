import { lexer } from 'marked';
import { expect, it } from 'vitest';
import { plainText } from './plain-text';

it.each([
  ['A `name` and [a *link*](/docs/api) & more.', 'A name and a link & more.'],
  ['- one\n- **two**\n\nThen.', 'one two Then.'],
  ['| A | B |\n|---|---|\n| `c` | d |', 'A · B · c · d'],
  ['```sh\nnpm start\n```', 'npm start'],
])('%j reads %j', (markdown, text) => {
  expect(plainText(lexer(markdown))).toBe(text);
});
