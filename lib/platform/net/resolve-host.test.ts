import type { LookupAddress } from 'node:dns';
import { describe, expect, it } from 'vitest';
import { type ResolveHost, shareLookups, systemResolver } from './resolve-host';

const ADDRESS: LookupAddress[] = [{ address: '1.1.1.1', family: 4 }];
const hanging: ResolveHost = () => new Promise(() => undefined);
const unknown: ResolveHost = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));

describe('resolving', () => {
  it('goes on for other names while dead name servers hold the system resolver', async () => {
    const asked: string[] = [];
    const resolve = shareLookups(hanging, async (hostname) => {
      asked.push(hostname);
      return ADDRESS;
    });
    for (const name of ['dead-1', 'dead-2']) void resolve(`${name}.example`);
    expect(await resolve('healthy.example')).toEqual(ADDRESS);
    expect(asked).toEqual(['healthy.example']);
  });

  it('asks the system, which knows the hosts file, whenever it can', async () => {
    const resolve = shareLookups(async () => ADDRESS, unknown);
    expect(await resolve('from-the-hosts-file.example')).toEqual(ADDRESS);
  });

  it('waits for the system when DNS does not know the name', async () => {
    const open: (() => void)[] = [];
    const system: ResolveHost = () => new Promise((resolve) => open.push(() => resolve(ADDRESS)));
    const resolve = shareLookups(system, unknown);
    const all = Promise.all(['first', 'second', 'local-only'].map((name) => resolve(name)));
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(open).toHaveLength(2);
    for (let next = open.shift(); next !== undefined; next = open.shift()) {
      next();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(await all).toEqual([ADDRESS, ADDRESS, ADDRESS]);
  });

  it('shares an answer among those who ask at the same time, and keeps it for nobody else', async () => {
    let lookups = 0;
    const resolve = shareLookups(async () => {
      lookups += 1;
      return ADDRESS;
    }, unknown);
    await Promise.all([resolve('a'), resolve('a'), resolve('a')]);
    expect(lookups).toBe(1);
    await resolve('a');
    expect(lookups).toBe(2);
  });

  it('finds this machine by its name', async () => {
    const addresses = await systemResolver()('localhost');
    expect(addresses.map(({ address }) => address)).toContain('127.0.0.1');
  });
});
