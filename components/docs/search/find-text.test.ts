import { expect, it } from 'vitest';
import { findText, type TextEntry } from './find-text';

const entry = (title: string, text: string): TextEntry => ({
  href: `/docs/guides/a#${title}`,
  title,
  page: 'A',
  searched: `A ${title} ${text}`.toLowerCase(),
  paragraphs: text.split('\n'),
});
const ENTRIES = [
  entry('Schedule', 'A failed delivery is retried after five seconds, then after five minutes.'),
  entry('Retries', 'Set your own schedule on an endpoint.'),
  entry('Sizing (CPU)', `${'Long text. '.repeat(60)}A worker needs little memory. ${'More text. '.repeat(60)}`),
];
const titles = (typed: string) => findText(ENTRIES, typed).map(({ title }) => title);
const excerpt = (typed: string) => findText(ENTRIES, typed)[0]?.excerpt ?? [];

it.each([
  ['a word of the text', 'minutes', ['Schedule']],
  ['words in any order and case', 'SECONDS delivery', ['Schedule']],
  ['titles before texts', 'schedule', ['Schedule', 'Retries']],
  ['special characters as they are', '(cpu)', ['Sizing (CPU)']],
  ['nothing for nothing', '   ', []],
  ['nothing for letters', 'a e i', []],
  ['nothing when a word is missing', 'delivery flux', []],
])('finds %s', (_, typed, found) => {
  expect(titles(typed)).toEqual(found);
});

it('shows the text around the first match and marks the typed words', () => {
  const pieces = excerpt('memory little');
  expect(pieces.filter(({ isMatch }) => isMatch).map(({ text }) => text)).toEqual(['little', 'memory']);
  const text = pieces.map((piece) => piece.text).join('');
  expect(text).toContain('A worker needs little memory.');
  expect(text).toMatch(/^… .* …$/s);
  expect(text.length).toBeLessThan(240);
});

it('shows the paragraph with most of the words, and the first one when the words are elsewhere', () => {
  const paragraphs = ['Intro.', 'A delivery.', 'A delivery fails.'];
  const shown = (typed: string) =>
    findText([{ ...entry('Part', `${paragraphs.join(' ')} code`), paragraphs }], typed)[0]?.excerpt.map(
      ({ text }) => text,
    );
  expect(shown('fails delivery')?.join('')).toBe('A delivery fails.');
  expect(shown('delivery')?.join('')).toBe('A delivery.');
  expect(shown('code')?.join('')).toBe('Intro.');
});

it('is bounded', () => {
  const many = Array.from({ length: 50 }, (_, index) => entry(String(index), 'same'));
  expect(findText(many, 'same')).toHaveLength(20);
  expect(findText(many, 'same '.repeat(1000))).toHaveLength(20);
  const [{ excerpt: pieces } = { excerpt: [] }] = findText([entry('Often', 'same '.repeat(100))], 'sa me');
  expect(pieces.filter(({ isMatch }) => isMatch)).toHaveLength(8);
  expect(pieces.map(({ text }) => text).join('')).toMatch(/^(same ){43}same …$/);
});
