import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { shellQuote } from './shell-quote';

it.each(["it's", '$HOME', '`id`', 'a b', '"q"', '', '\\', "'; rm -rf /; '", 'line\nline', '!x', '*'])(
  'a shell reads %j back as it was, and runs nothing of it',
  (text) => {
    expect(execFileSync('sh', ['-c', `printf %s ${shellQuote(text)}`], { encoding: 'utf8' })).toBe(text);
  },
);

it('leaves a plain word bare', () => {
  expect(shellQuote('http://localhost:3000/api')).toBe('http://localhost:3000/api');
});
