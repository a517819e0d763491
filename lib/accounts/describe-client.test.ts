import { expect, it } from 'vitest';
import { describeClient } from './describe-client';

const CHROME_ON_MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0.0.0 Safari/537.36';

it('names the IP address, browser and system', () => {
  expect(describeClient({ ipAddress: '203.0.113.7', userAgent: CHROME_ON_MAC })).toEqual([
    'IP address: 203.0.113.7',
    'Device: Chrome on macOS',
  ]);
});

it('leaves out what is unknown', () => {
  expect(describeClient({ ipAddress: '2001:db8::7', userAgent: 'Mozilla/5.0 (X11; Linux x86_64)' })).toEqual([
    'IP address: 2001:db8::7',
    'Device: Linux',
  ]);
  expect(describeClient({ ipAddress: null, userAgent: null })).toEqual([]);
});

it.each([
  'https://evil.example/',
  'evil.example/1.0',
  'Mozilla/5.0 (evil.example) Call-0800-EVIL/9',
  '\r\nBcc: eve@evil.example',
])('repeats no text of the sender: %j', (userAgent) => {
  expect(describeClient({ ipAddress: null, userAgent }).join(' ')).not.toMatch(/evil/i);
});
