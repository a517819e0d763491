import { expect, it } from 'vitest';
import { SourceProvider } from '@/lib/incoming/schema';
import { makeSourceSecret, makesItsSecret } from '@/lib/incoming/sources/source-secret';
import { PROVIDER_IDS, PROVIDERS } from './providers';

it('offers every provider once', () => {
  expect(PROVIDER_IDS.toSorted()).toEqual(SourceProvider.options.toSorted());
});

it.each(PROVIDER_IDS)('agrees with the API on who generates the secret of %s', (id) => {
  const expected = makesItsSecret(id) ? 'provider' : makeSourceSecret(id) === null ? 'nobody' : 'us';
  expect(PROVIDERS[id].secretMaker).toBe(expected);
});
