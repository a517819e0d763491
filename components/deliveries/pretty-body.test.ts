import { expect, it } from 'vitest';
import { prettyBody } from './pretty-body';

it('indents JSON', () => {
  expect(prettyBody('{"a":1}')).toEqual({ code: '{\n  "a": 1\n}', language: 'json' });
});

it.each(['upstream is down', '{"cut": "of', '"text"', '12', ''])('leaves %j unchanged', (body) => {
  expect(prettyBody(body)).toEqual({ code: body, language: 'text' });
});
