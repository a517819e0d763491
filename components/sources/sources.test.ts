import { describe, expect, it } from 'vitest';
import { changed } from '@/components/form/changed';
import { GRACE_CHOICES } from '@/components/form/grace-hours';
import { describeEnd } from '@/components/projects/rotation-form';
import { RotateSourceUrlBody, SourceProvider } from '@/lib/incoming/schema';
import { signatureFields } from '@/lib/incoming/sources/signature-fields';
import { makeSourceSecret, makesItsSecret } from '@/lib/incoming/sources/source-secret';
import { exampleHeader, exampleToken, findProviders, PROVIDER_IDS, PROVIDERS, signatureValuesOf } from './providers';
import { sourceBodyOf } from './source-form';

it('offers every provider once', () => {
  expect(PROVIDER_IDS.toSorted()).toEqual(SourceProvider.options.toSorted());
});

it.each(PROVIDER_IDS)('agrees with the API on who generates the secret of %s', (id) => {
  const expected = makesItsSecret(id) ? 'provider' : makeSourceSecret(id) === null ? 'nobody' : 'us';
  expect(PROVIDERS[id].secretMaker).toBe(expected);
});

it('starts with the defaults of the API', () => {
  expect(signatureFields('GENERIC_HMAC', {})).toEqual(signatureValuesOf());
});

it('shows the header that a sender must set', () => {
  const values = signatureValuesOf();
  expect(exampleHeader(values)).toBe('X-Signature: <64 hex digits>');
  expect(
    exampleHeader({ ...values, signatureHeader: ' ', signatureEncoding: 'base64', signaturePrefix: ' v1= ' }),
  ).toBe('X-Signature: v1=<44 base64 characters>');
  const list = { ...values, signatureKey: 'v1', timestampKey: 't', signatureAlgorithm: 'SHA1' } as const;
  expect(exampleHeader(list)).toBe('X-Signature: t=<time>,v1=<40 hex digits>');
  expect(exampleToken({ ...values, signatureHeader: 'Authorization', signaturePrefix: 'Bearer' })).toBe(
    'Authorization: Bearer <secret>',
  );
});

it('finds providers by words of their name or summary, and keeps the chosen one', () => {
  expect(findProviders('whats meta', 'GITHUB')).toEqual(['GITHUB', 'META']);
  expect(findProviders('nothing like it', 'ZOOM')).toEqual(['ZOOM']);
  expect(findProviders(' ', 'ZOOM')).toEqual(PROVIDER_IDS);
});

it.each(['GENERIC_HMAC', 'TOKEN', 'GITHUB'] as const)(
  'sends only what the person changed of a source of %s',
  (provider) => {
    const shown = { name: 'Shop', enabled: true, ...signatureValuesOf() };
    const changeOf = (edits: Partial<typeof shown>) =>
      changed(sourceBodyOf({ provider }, { ...shown, ...edits }), sourceBodyOf({ provider }, shown));
    expect(changeOf({ name: 'Shop EU ' })).toEqual({ name: 'Shop EU' });
    expect(changeOf({ enabled: false })).toEqual({ enabled: false });
    expect(changeOf({ signaturePrefix: 'v1=' })).toEqual(provider === 'GITHUB' ? {} : { signaturePrefix: 'v1=' });
  },
);

describe('the end of an old URL', () => {
  it('offers only grace periods that the API accepts', () => {
    for (const { value } of GRACE_CHOICES.filter((choice) => choice.value !== 'custom')) {
      expect(RotateSourceUrlBody.safeParse({ gracePeriodHours: Number(value) }).success, value).toBe(true);
    }
  });

  it('says when the old URL ends', () => {
    const now = new Date('2026-01-31T12:00:00.000Z');
    expect(describeEnd('URL', 0, now)).toContain('immediately');
    expect(describeEnd('URL', 24, now)).toContain('1 Feb 2026');
  });
});
