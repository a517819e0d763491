import { describe, expect, it } from 'vitest';
import { bodyViewsOf, decodeBase64Start, hexDump, prettyBody } from './body-views';

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

it('says how much of a body the API returned, and reads no JSON of a part', () => {
  const views = bodyViewsOf({ body: '{"a":1}', bodyBase64: null, bodyTruncated: true, size: 26_214_400 });
  expect(views.map(({ name, note }) => [name, note])).toEqual([
    ['Text', 'The first 524 kB of 26.2 MB.'],
    ['Hex', 'The first 7 B of 26.2 MB.'],
  ]);
});

describe('hexadecimal', () => {
  it('shows sixteen bytes a row, with their offset and printable characters', () => {
    const bytes = new Uint8Array([...Buffer.from('Hello, webhooks!'), 0xff, 0x00, 0x7f, 0x41]);
    expect(hexDump(bytes).split('\n')).toEqual([
      '00000000  48 65 6c 6c 6f 2c 20 77  65 62 68 6f 6f 6b 73 21  Hello, webhooks!',
      '00000010  ff 00 7f 41                                       ...A',
    ]);
    expect(hexDump(new Uint8Array())).toBe('');
  });

  it.each([0, 1, 2, 3, 4, 5, 300])('decodes the first bytes of %d', (length) => {
    const bytes = Buffer.from(Array.from({ length }, (_, index) => index % 256));
    const base64 = bytes.toString('base64');
    expect([...decodeBase64Start(base64, 4)]).toEqual([...bytes.subarray(0, 4)]);
    expect([...decodeBase64Start(base64, 1_000)]).toEqual([...bytes]);
  });
});

describe('prettyBody', () => {
  it('indents JSON', () => {
    expect(prettyBody('{"a":1}')).toEqual({ code: '{\n  "a": 1\n}', language: 'json' });
  });

  it.each(['upstream is down', '{"cut": "of', '"text"', '12', ''])('leaves %j unchanged', (body) => {
    expect(prettyBody(body)).toEqual({ code: body, language: 'text' });
  });
});
