import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memberText } from './member-text';

describe('the text of a member of a JSON object', () => {
  it('is exactly what was sent, with its numbers and spacing', () => {
    const data = '{ "id": 12345678901234567890, "price": 1.10, "e": 1E400, "s": "\\u00e9\\/" }';
    expect(memberText(`{"type":"order.paid","data": ${data} }`, 'data')).toBe(data);
  });

  it('is found in spite of the same name in strings, nested objects and escapes', () => {
    const json = '{"type":"\\"data\\":{}","x":{"data":[1]},"d\\u0061ta":{"ok":"}]\\\\"}}';
    expect(memberText(json, 'data')).toBe('{"ok":"}]\\\\"}');
  });

  it('is that of the last member if a name is repeated, as in JSON.parse', () => {
    expect(memberText('{"data":{"n":1},"data":{"n":2}}', 'data')).toBe('{"n":2}');
  });

  it('is null if the member is missing', () => {
    expect(memberText('{}', 'data')).toBeNull();
    expect(memberText(' { "type" : "a" } ', 'data')).toBeNull();
  });

  it('has the value that JSON.parse returns, for any object and spacing', () => {
    const spaced = fc.constantFrom(undefined, 1, '\t', ' \n\r');
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), spaced, (others, data, space) => {
        const json = JSON.stringify({ ...others, data }, null, space);
        expect(JSON.parse(memberText(json, 'data') ?? '')).toEqual(JSON.parse(JSON.stringify(data)));
      }),
    );
  });
});
