import { createSecureContext } from 'node:tls';
import { expect, it } from 'vitest';
import { makeCertificate } from './certificate';

it('a certificate can be used whatever its length is', () => {
  for (let length = 1; length <= 48; length++) {
    const certificate = makeCertificate(`${'x'.repeat(length)}.example`, new Date(Date.now() + 86_400_000));
    expect(() => createSecureContext(certificate), `${length}`).not.toThrow();
  }
});
