import { describe, expect, it } from 'vitest';
import { loadEach } from './use-projects';

const ids = Array.from({ length: 1_000 }, (_, nth) => String(nth));

describe('loading the projects of many organizations', () => {
  it('sends ten requests at a time', async () => {
    let underWay = 0;
    let most = 0;
    const results = await loadEach(ids, async (id) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await Promise.resolve();
      underWay -= 1;
      return id;
    });
    expect(most).toBe(10);
    expect(results).toEqual(ids.map((value) => ({ status: 'fulfilled', value })));
  });

  it('keeps what was loaded when one request fails, and fails when all do', async () => {
    const results = await loadEach(ids, async (id) => {
      if (id === '7') throw new Error('rate limited');
      return id;
    });
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(999);
    expect(results[7]).toMatchObject({ status: 'rejected' });
    await expect(loadEach(ids, () => Promise.reject(new Error('rate limited')))).rejects.toThrow('rate limited');
  });
});
