import { expect, it } from 'vitest';
import { styleFor } from './style';

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
