import { expect, it } from 'vitest';
import { explainPattern } from './explain-pattern';

it.each([
  [' * ', /^Every event in the project\.$/],
  ['order.*', /order\.item\.added.*not “order” itself/],
  ['order.paid', /^Only events of type “order\.paid”\.$/],
])('explains what %j matches', (pattern, text) => {
  expect(explainPattern(pattern)).toMatch(text);
});
