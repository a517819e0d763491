import { describe, expect, it } from 'vitest';
import { changedFields } from './changed-fields';

describe('the changes of an audit entry', () => {
  const before = { url: 'https://a.example/one?token=1', enabled: true, description: 'Old', retrySeconds: [1, 2] };

  it('are the fields with a new value, before and after', () => {
    const after = { ...before, enabled: false, description: null };
    expect(changedFields(before, after, ['enabled', 'description', 'retrySeconds'])).toEqual({
      enabled: { from: true, to: false },
      description: { from: 'Old', to: null },
    });
  });

  it('are none when every value stays the same', () => {
    const same = { ...before, retrySeconds: [...before.retrySeconds] };
    expect(changedFields(before, same, Object.keys(before))).toBeNull();
  });

  it('keep the origins of URLs only', () => {
    const moved = { ...before, url: 'https://b.example/secret' };
    const origins = { from: 'https://a.example', to: 'https://b.example' };
    expect(changedFields(before, moved, ['url'])).toEqual({ url: origins });
    expect(changedFields(before, { ...before, url: 'https://a.example/two' }, ['url'])).toEqual({ url: {} });
  });

  it('name a secret without its value, even when the API shows the same', () => {
    expect(changedFields(before, before, ['auth'], ['auth'])).toEqual({ auth: {} });
    expect(changedFields(before, before, [], ['auth'])).toBeNull();
  });

  it('leave long values out', () => {
    expect(changedFields(before, { ...before, description: 'x'.repeat(400) }, ['description'])).toEqual({
      description: {},
    });
  });
});
