import { describe, expect, it } from 'vitest';
import { describeEnd, GRACE_CHOICES } from '@/components/projects/rotation-form';
import { RotateSourceUrlBody, SourceProvider } from '@/lib/incoming/schema';
import { makeSourceSecret, makesItsSecret } from '@/lib/incoming/sources/source-secret';
import { exampleHeader, PROVIDER_IDS, PROVIDERS, signatureValuesOf } from './providers';

it('offers every provider once', () => {
  expect(PROVIDER_IDS.toSorted()).toEqual(SourceProvider.options.toSorted());
});

it.each(PROVIDER_IDS)('agrees with the API on who generates the secret of %s', (id) => {
  const expected = makesItsSecret(id) ? 'provider' : makeSourceSecret(id) === null ? 'nobody' : 'us';
  expect(PROVIDERS[id].secretMaker).toBe(expected);
});

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

describe('the end of an old URL', () => {
  it('offers only grace periods that the API accepts', () => {
    for (const { value } of GRACE_CHOICES) {
      expect(RotateSourceUrlBody.safeParse({ gracePeriodHours: Number(value) }).success, value).toBe(true);
    }
  });

  it('says when the old URL ends', () => {
    const now = new Date('2026-01-31T12:00:00.000Z');
    expect(describeEnd('URL', 0, now)).toContain('immediately');
    expect(describeEnd('URL', 24, now)).toContain('1 Feb 2026');
  });
});
