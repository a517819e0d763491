import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeDevice } from './list-sessions';

const bySignIn = (userAgent: string | null) => describeDevice({ method: 'PASSWORD', clientName: null, userAgent });

describe('the device of a session', () => {
  it.each([
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
      'Chrome on macOS',
    ],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:127.0) Gecko/20100101 Firefox/127.0', 'Firefox on Windows'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
      'Safari on iOS',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0',
      'Microsoft Edge on Windows',
    ],
    [
      'Mozilla/5.0 (Linux; Android 14; SM-S911B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36',
      'Samsung Internet on Android',
    ],
    ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'Googlebot'],
    ['curl/8.5', 'curl'],
    ['python-requests/2.31.0', 'python-requests'],
    ['Go-http-client/2.0', 'Go-http-client'],
    ['node', 'node'],
  ])('%s → %s', (userAgent, device) => {
    expect(bySignIn(userAgent)).toBe(device);
  });

  it.each([
    null,
    '',
    ' ',
    '/',
    'Mozilla/5.0',
    'Mozilla/5.0 (evil) Foo<script>/1.0 x',
    '\u202eegnahc',
    '💥',
    '<b>x</b>',
  ])('%j → Unknown device', (userAgent) => {
    expect(bySignIn(userAgent)).toBe('Unknown device');
  });

  it.each([
    ['build-box', 'eds/1.0', 'CLI on build-box'],
    ['Acme CLI', null, 'Acme CLI'],
    [null, 'eds/1.0', 'eds'],
    [null, null, 'CLI'],
  ])('of a device code whose client calls itself %j → %s', (clientName, userAgent, device) => {
    expect(describeDevice({ method: 'DEVICE', clientName, userAgent })).toBe(device);
  });
});

it('never fails and stays short for any user agent', () => {
  const odd = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 2000 }),
    fc.string({ unit: 'binary', maxLength: 600 }).map((text) => `Mozilla/5.0 ${text}`),
  );
  fc.assert(
    fc.property(odd, (userAgent) => {
      const device = bySignIn(userAgent);
      expect(device.length).toBeGreaterThan(0);
      expect(device.length).toBeLessThanOrEqual(60);
    }),
  );
});
