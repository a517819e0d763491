import { describe, expect, it } from 'vitest';
import { type PathEntry, toMatcher } from './table';

const literal: PathEntry = {};
const parameter: PathEntry = {};
const match = toMatcher({ '/api/orgs/mine': literal, '/api/orgs/{orgId}': parameter, '/api/orgs/{orgId}/x': {} });

describe('finding the entry of a path', () => {
  it('prefers a literal segment to a parameter', () => {
    expect(match('/api/orgs/mine')?.entry).toBe(literal);
    expect(match('/api/orgs/other')?.params).toEqual({ orgId: 'other' });
  });

  it('decodes a parameter once', () => {
    expect(match('/api/orgs/a%2Fb%2525')?.params).toEqual({ orgId: 'a/b%25' });
  });

  it('finds nothing for unknown paths, trailing slashes, empty parameters and bad encodings', () => {
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
