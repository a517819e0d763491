import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signatureRedactor } from './redact-signatures';

const [FIRST, SECOND] = [
  'ab+/cdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNO',
  'zzzz/+zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz',
].map((text) => `${text}=`) as [string, string];
const redact = signatureRedactor([`v1,${FIRST} v1,${SECOND}`]);

describe('the signatures of a request', () => {
  it.each([
    ['as sent', (text: string) => text],
    ['in JSON that escapes slashes', (text: string) => text.replaceAll('/', '\\/')],
    ['in JSON that escapes HTML', (text: string) => text.replaceAll('+', '\\u002b').replaceAll('=', '\\u003D')],
    ['in JSON within JSON', (text: string) => JSON.stringify(JSON.stringify(text).replaceAll('/', '\\/')).slice(3, -3)],
    ['in a URL', encodeURIComponent],
    ['in HTML', (text: string) => text.replaceAll('+', '&#43;').replaceAll('/', '&#x2F;').replaceAll('=', '&#x3D;')],
  ])('are redacted where a receiver repeats them %s', (_, write) => {
    const text = `got <${write(FIRST)}> and <${write(SECOND)}>, once more ${write(FIRST)}.`;
    expect(redact(text)).toBe('got <[redacted]> and <[redacted]>, once more [redacted].');
  });

  it.each([
    ['Stripe', 't=1700000000,v1=', 'ab12'.repeat(16)],
    ['GitHub', 'sha256=', 'cd34'.repeat(16)],
    ['Shopify', '', `${'Ef5+'.repeat(10)}Ef5=`],
    ['a provider with RSA', '', '9A/z'.repeat(128)],
  ])('are redacted as %s writes them', (_, before, signature) => {
    const hides = signatureRedactor([`${before}${signature}`]);
    expect(hides(`got ${before}${signature}, again ${encodeURIComponent(signature)}.`)).toBe(
      `got ${before}[redacted], again [redacted].`,
    );
  });

  it('are redacted at the end of a text that was cut within them', () => {
    for (let chars = 6; chars <= FIRST.length; chars++) {
      expect(redact(`got ${FIRST.slice(0, chars)}`), String(chars)).toBe('got [redacted]');
    }
  });

  it('leave every other text as it is', () => {
    const texts = ['ab+/cdefghij.', 'v1,', randomBytes(5_000).toString('base64'), `${FIRST.slice(0, 40)} and more`];
    for (const text of texts) expect(redact(text)).toBe(text);
    for (const values of [[], [''], ['v1,short'], ['('.repeat(50)]]) {
      expect(signatureRedactor(values)(`all ${FIRST}`)).toBe(`all ${FIRST}`);
    }
  });

  it('cost little, whatever a stranger sends', () => {
    const signatures = Array.from({ length: 300 }, (_, n) => `v1,${'/'.repeat(38)}${1e4 + n}=`);
    const hostile = signatureRedactor([...signatures, '/'.repeat(512)]);
    const startedMs = performance.now();
    hostile('\\'.repeat(64 * 1024));
    hostile('/'.repeat(64 * 1024));
    expect(performance.now() - startedMs).toBeLessThan(2_000);
  });
});
