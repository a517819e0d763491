import { expect, it } from 'vitest';
import { bodyViewsOf } from './body-views';

const viewsOf = (content: string | Buffer) =>
  bodyViewsOf({
    body: typeof content === 'string' ? content : null,
    bodyBase64: typeof content === 'string' ? null : content.toString('base64'),
    size: Buffer.byteLength(content),
  });
const namesOf = (content: string | Buffer) => viewsOf(content).map(({ name }) => name);

it('shows JSON indented first, and as it arrived second', () => {
  expect(namesOf(' {"a":1}')).toEqual(['JSON', 'Text', 'Hex']);
  expect(viewsOf('{"a":1}').map(({ code }) => code)).toEqual([
    '{\n  "a": 1\n}',
    '{"a":1}',
    '00000000  7b 22 61 22 3a 31 7d                              {"a":1}',
  ]);
});

it.each(['payload=%7B%7D', '{"cut":', '"text"', '12'])('shows %j as text', (body) => {
  expect(namesOf(body)).toEqual(['Text', 'Hex']);
});

it('shows a binary body in hexadecimal, and an empty one not at all', () => {
  expect(namesOf(Buffer.from([0xff, 0]))).toEqual(['Hex']);
  expect(namesOf('')).toEqual([]);
});

it('says what the dump of a large body leaves out', () => {
  const [dump] = viewsOf(Buffer.alloc(20_000, 0xff));
  expect(dump?.code.split('\n')).toHaveLength(256);
  expect(dump?.note).toBe('The first 4.1 kB of 20.0 kB.');
  expect(viewsOf('é'.repeat(5_000)).at(-1)?.code.split('\n')).toHaveLength(256);
  expect(viewsOf(Buffer.alloc(4096, 0xff))[0]?.note).toBeNull();
});
