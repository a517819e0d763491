import { expect, it } from 'vitest';
import { makeExcerpt } from './excerpt';

it('shows the text around the first match and marks the words', () => {
  const long = `${'Long text. '.repeat(60)}A worker needs little memory. ${'More text. '.repeat(60)}`;
  const pieces = makeExcerpt([long], ['memory', 'little']);
  expect(pieces.filter(({ isMatch }) => isMatch).map(({ text }) => text)).toEqual(['little', 'memory']);
  const text = pieces.map((piece) => piece.text).join('');
  expect(text).toContain('A worker needs little memory.');
  expect(text).toMatch(/^… .* …$/s);
  expect(text.length).toBeLessThan(240);
});

it('shows the paragraph with most of the words, and the first one when the words are elsewhere', () => {
  const paragraphs = ['Intro.', 'A delivery.', 'A delivery fails.'];
  const shown = (...words: string[]) =>
    makeExcerpt(paragraphs, words)
      .map(({ text }) => text)
      .join('');
  expect(shown('fails', 'delivery')).toBe('A delivery fails.');
  expect(shown('delivery')).toBe('A delivery.');
  expect(shown('code')).toBe('Intro.');
});

it('takes special characters as they are, and bounds the marks', () => {
  expect(makeExcerpt(['Size (CPU)'], ['(cpu)'])).toContainEqual({ text: '(CPU)', isMatch: true });
  const pieces = makeExcerpt(['same '.repeat(100)], ['sa', 'me']);
  expect(pieces.filter(({ isMatch }) => isMatch)).toHaveLength(8);
  expect(pieces.map(({ text }) => text).join('')).toMatch(/^(same ){43}same …$/);
});
