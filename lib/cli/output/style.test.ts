import { expect, it } from 'vitest';
import { sanitizeColored, styleFor } from './style';

const terminal = { isTTY: true, columns: 80, write: () => {}, flush: async () => {} };
const pipe = { ...terminal, isTTY: false };

it.each([
  ['a terminal', terminal, {}, true],
  ['a pipe', pipe, {}, false],
  ['a terminal with NO_COLOR', terminal, { NO_COLOR: '1' }, false],
  ['a terminal with an empty NO_COLOR', terminal, { NO_COLOR: '' }, true],
  ['a pipe with FORCE_COLOR', pipe, { FORCE_COLOR: '1' }, true],
  ['a terminal with FORCE_COLOR=0', terminal, { FORCE_COLOR: '0' }, false],
  ['a pipe with FORCE_COLOR and NO_COLOR', pipe, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
  ['a terminal without colors', terminal, { TERM: 'dumb' }, false],
])('writes colors to %s as its variables say', (_name, stream, env, isColored) => {
  const style = styleFor(stream, { NODE_ENV: 'test', ...env });
  expect(style.red('text')).toBe(isColored ? '\x1b[31mtext\x1b[39m' : 'text');
});

it('lets words have our colors, and nothing else that a terminal obeys', () => {
  const text = `\x1b[1mShop\x1b[22m \x1b[31mred\x1b[39m\nnext \x1b[2J\x1b]0;owned\x07\x1b[8mhidden\x9b31m`;
  expect(sanitizeColored(text)).toBe(
    '\x1b[1mShop\x1b[22m \x1b[31mred\x1b[39m\nnext \\x1b[2J\\x1b]0;owned\\x07\\x1b[8mhidden\\x9b31m',
  );
});
