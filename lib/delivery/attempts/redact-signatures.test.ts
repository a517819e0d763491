import { expect, it } from 'vitest';
import { signatureRedactor } from './redact-signatures';

const HEX = '9e4a322a'.repeat(5);
const inBase64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64');

it.each([
  ['a constant of a few characters', 'my-static-secret', 'got my-static-secret!', 'got [redacted]!'],
  ['a value of several parts', 'Sig:9f8e:5b4a', '{"h":"Sig:9f8e:5b4a"}', '{"h":"[redacted]"}'],
  ['a signature without what comes before it', `sha1=${HEX}`, `expected ${HEX}`, 'expected [redacted]'],
  [
    'a signature in other encodings, as hex',
    `sha1=${HEX}`,
    `${HEX.toUpperCase()} ${inBase64(HEX)}`,
    '[redacted] [redacted]=',
  ],
  ['a signature in other encodings, as base64', inBase64(HEX), `${HEX} ${inBase64(HEX)}`, '[redacted] [redacted]'],
  ['all of a long constant', `hunter2!${HEX}!Zq9`, `got hunter2!${HEX}!Zq9`, 'got [redacted]'],
  ['nothing for a value that tells nothing', 'v1', 'v1 of the API', 'v1 of the API'],
])('replaces %s', (_name, header, text, shown) => {
  expect(signatureRedactor([header]).text(text)).toBe(shown);
});

it('replaces each of many secrets, and the whole text when there are too many to search for', () => {
  const values = Array.from({ length: 12 }, (_, index) => `secret-number-${index}.`);
  const text = `all: ${values.join(' ')}`;
  expect(signatureRedactor(values.slice(0, 6), values.slice(6)).text(text)).toBe(
    `all: ${Array(12).fill('[redacted]').join(' ')}`,
  );
  const long = Array.from({ length: 9 }, (_, index) => `${index}`.repeat(500));
  expect(signatureRedactor([], long).text('nothing of them')).toBe('[redacted]');
  const many = Array.from({ length: 25 }, (_, index) => `secret-number-${index}.`);
  expect(signatureRedactor([], many).text('nothing of them')).toBe('[redacted]');
});
