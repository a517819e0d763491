import { describe, expect, it } from 'vitest';
import { type PathEntry, toMatcher } from './table';

const literal: PathEntry = {};
const parameter: PathEntry = {};
const match = toMatcher({ '/api/orgs/mine': literal, '/api/orgs/{orgId}': parameter, '/api/orgs/{orgId}/x': {} });

describe('the matcher', () => {
  it('prefers a literal segment to a parameter', () => {
    expect(match('/api/orgs/mine')?.entry).toBe(literal);
    expect(match('/api/orgs/other')?.params).toEqual({ orgId: 'other' });
  });

  it('decodes a parameter once', () => {
    expect(match('/api/orgs/a%2Fb%2525')?.params).toEqual({ orgId: 'a/b%25' });
  });

  it('finds nothing for unknown paths, trailing slashes, empty parameters and invalid encodings', () => {
    for (const path of [
      '/api',
      '/api/orgs',
      '/api/orgs/',
      '/api/orgs/mine/',
      '/api/orgs/%zz',
      '/api//mine',
      '/API/orgs/mine',
    ]) {
      expect(match(path), path).toBeNull();
    }
  });
});

describe('a subtree', () => {
  const subtree: PathEntry = {};
  const find = toMatcher({ '/api/admin/orgs': literal }, { '/api/admin': subtree });

  it('matches its prefix and everything below that the table does not have', () => {
    for (const path of ['/api/admin', '/api/admin/', '/api/admin/x/y', '/api/admin/orgs/', '/api/admin/%zz']) {
      expect(find(path)?.entry, path).toBe(subtree);
    }
  });

  it('does not match paths of the table, nor paths that only share its first characters', () => {
    expect(find('/api/admin/orgs')?.entry).toBe(literal);
    for (const path of ['/api/administrators', '/api', '/api/x/admin']) expect(find(path), path).toBeNull();
  });
});
