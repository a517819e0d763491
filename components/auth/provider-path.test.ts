import { expect, it } from 'vitest';
import { providerPath } from './provider-path';

it('starts at the provider and carries the return path', () => {
  expect(providerPath('idp', '/')).toBe('/api/v1/auth/oauth/idp');
  expect(providerPath('idp', '/projects/1/keys?x=1')).toBe(
    '/api/v1/auth/oauth/idp?returnTo=%2Fprojects%2F1%2Fkeys%3Fx%3D1',
  );
});

it.each(['https://evil.example', '//evil.example', '/\\evil.example', '/login'])(
  'never carries the return path %j',
  (returnTo) => {
    expect(providerPath('idp', returnTo)).toBe('/api/v1/auth/oauth/idp');
  },
);
