import { describe, expect, it } from 'vitest';
import { redactCredentials } from './redact-credentials';

const redact = (body: string | Buffer, headers: Record<string, string>, isCut = false) =>
  redactCredentials(Buffer.from(body), headers, isCut).toString();
const basic = { authorization: `Basic ${Buffer.from('shöp:pä"sswörd').toString('base64')}` };

describe('a credential in a response body', () => {
  it.each([
    ['as sent', 'a Bearer t0ken-t0ken b', { authorization: 'Bearer t0ken-t0ken' }, 'a [credential] b'],
    ['without its scheme', 'a t0ken-t0ken b', { authorization: 'Bearer t0ken-t0ken' }, 'a [credential] b'],
    ['each time', 'k3y-k3y,k3y-k3y', { 'x-key': 'k3y-k3y' }, '[credential],[credential]'],
    ['as the password of Basic', 'a pä"sswörd b', basic, 'a [credential] b'],
    ['with the user of Basic', 'a shöp:pä"sswörd b', basic, 'a [credential] b'],
    ['escaped as JSON', `a ${JSON.stringify('pä"sswörd')} b`, basic, 'a "[credential]" b'],
  ])('is replaced %s', (_, body, headers, expected) => {
    expect(redact(body, headers)).toBe(expected);
  });

  it('is replaced also where reading ended within it, and only there', () => {
    const headers = { authorization: 'Bearer t0ken-t0ken' };
    expect(redact('a t0ken-t0', headers, true)).toBe('a [credential]');
    expect(redact('a Bearer t0k', headers, true)).toBe('a [credential]');
    expect(redact('a t0ken-t0', headers, false)).toBe('a t0ken-t0');
    expect(redact('a t0ken-t0 b', headers, true)).toBe('a t0ken-t0 b');
  });

  it('leaves all other bytes as they are', () => {
    const body = Buffer.from([0xff, 0x00, 0xc3, 0xa4, 0x80]);
    expect(redactCredentials(body, { 'x-key': 'k3y-k3y' }, true)).toEqual(body);
    expect(redact('abc', { 'x-key': 'b' })).toBe('abc');
    expect(redact('abc', {})).toBe('abc');
  });
});
