import { expect, it } from 'vitest';
import { matchesWords } from './matches-words';

it('matches a name that contains every typed word, in any case and order', () => {
  expect(matchesWords('Analytical Engines Web shop', 'shop ENG')).toBe(true);
  expect(matchesWords('API keys', ' keys ')).toBe(true);
  expect(matchesWords('API keys', '')).toBe(true);
});

it('does not match scattered letters', () => {
  expect(matchesWords('Analytical Engines Web shop 01a1fbe6-c475', 'acc')).toBe(false);
  expect(matchesWords('Analytical Engines Web shop', 'shop keys')).toBe(false);
});
