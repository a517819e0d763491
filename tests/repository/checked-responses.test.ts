import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** Ways to receive responses that nothing checks. */
const UNCHECKED =
  /(?<![.\w])fetch\(|\brequest\.(?:get|post|put|patch|delete|head|fetch)\(|\bbrowser\.new(?:Context|Page)\(/;
const IMPORTS_A_CLIENT = /^import \{[^}]*\brequest\b[^}]*\} from '(?:undici|node:https?)';/m;

/** The files that offer them with a check. */
const CHECKING = ['attacker.ts', 'check-response.ts', 'fixtures.ts', 'request-raw.ts'].map((name) => `support/${name}`);

it('the browser tests receive responses only through helpers that check them', () => {
  const files = readdirSync('e2e', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const unchecked = files.filter((file) => {
    const source = readFileSync(`e2e/${file}`, 'utf8');
    return UNCHECKED.test(source) || IMPORTS_A_CLIENT.test(source);
  });
  expect(unchecked.sort()).toEqual(CHECKING);
});
