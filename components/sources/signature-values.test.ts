import { expect, it } from 'vitest';
import { exampleHeader, signatureValuesOf } from './signature-values';

it('starts with the defaults of the API', () => {
  expect(signatureValuesOf()).toEqual({
    signatureHeader: 'X-Signature',
    signatureEncoding: 'hex',
    signaturePrefix: '',
  });
});

it('shows the header that a sender must set', () => {
  expect(exampleHeader(signatureValuesOf())).toBe('X-Signature: <64 hex digits>');
  expect(exampleHeader({ signatureHeader: ' ', signatureEncoding: 'base64', signaturePrefix: ' v1= ' })).toBe(
    'X-Signature: v1=<44 base64 characters>',
  );
});
