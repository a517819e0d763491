import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { shellQuote } from './shell-quote';

it.each(["it's", '$HOME', '`id`', 'a b', '"q"', '', '\\', "'; rm -rf /; '", 'line\nline', '!x', '*'])(
  'quotes %j so that a shell reads it unchanged',
  (text) => {
    expect(execFileSync('sh', ['-c', `printf %s ${shellQuote(text)}`], { encoding: 'utf8' })).toBe(text);
  },
);

it('leaves a plain word unquoted', () => {
  expect(shellQuote('http://localhost:3000/api')).toBe('http://localhost:3000/api');
});
