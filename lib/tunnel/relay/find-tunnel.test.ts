import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PublicTunnel } from '@/lib/tunnel/types';
import { TunnelFinder } from './find-tunnel';
import { CACHE_MS, MAX_CACHED, UNKNOWN_LOOKUPS } from './limits';

interface Read {
  tokens: readonly string[];
  /** Ends the statement. */
  answer(): void;
  fail(error: Error): void;
}

let nowMs: number;
let tunnels: Map<string, PublicTunnel>;
/** Statements, in their order. None ends by itself. */
let reads: Read[];
let finder: TunnelFinder;
beforeEach(() => {
  nowMs = 0;
  tunnels = new Map();
  reads = [];
  finder = new TunnelFinder(
    (tokens) =>
      new Promise((resolve, reject) => {
        reads.push({ tokens, answer: () => resolve(tunnels), fail: reject });
      }),
    () => nowMs,
  );
});

const tokenOf = (name: string | number) => String(name).padStart(43, 'x');
const addTunnel = (name: string): string => {
  tunnels.set(tokenOf(name), { id: name, projectId: 'p', basicAuth: null, allowedCidrs: [], testResponse: null });
  return tokenOf(name);
};
/** Lets what is ready run. */
const settle = () => new Promise((resolve) => setImmediate(resolve));
/** Asks for a token, and answers the only statement that this causes. */
async function findAtOnce(token: string): Promise<PublicTunnel | null> {
  const before = reads.length;
  const found = finder.find(token);
  await settle();
  expect(reads.slice(before).map(({ tokens }) => tokens)).toEqual([[token]]);
  reads.at(-1)?.answer();
  return found;
}
/** Asks for unknown tokens; refusals are ignored. */
const flood = (count: number, from = 0) => {
  for (let index = from; index < from + count; index++) finder.find(tokenOf(index)).catch(() => undefined);
  return settle();
};

describe('while a flood of unknown tokens is looked up', () => {
  it('a known tunnel is served without a statement for a second, and then by one of its own', async () => {
    const token = addTunnel('mine');
    await findAtOnce(token);
    await flood(10_000);
    const before = reads.length;
    expect(reads.slice(1).every(({ tokens }) => !tokens.includes(token))).toBe(true);
    expect((await finder.find(token))?.id).toBe('mine');
    expect(reads).toHaveLength(before);
    nowMs += CACHE_MS;
    // The flood's statement has not ended.
    expect((await findAtOnce(token))?.id).toBe('mine');
  });

  it('a known tunnel is not forgotten, however many unknown tokens are remembered', async () => {
    const token = addTunnel('mine');
    await findAtOnce(token);
    for (let sent = 0; sent < 3 * MAX_CACHED; sent += 1_000) {
      await flood(1_000, sent);
      for (const { answer } of reads) answer();
      await settle();
      for (const { answer } of reads) answer();
      await settle();
    }
    const before = reads.length;
    expect((await finder.find(token))?.id).toBe('mine');
    expect(reads).toHaveLength(before);
  });

  it('one statement runs at a time, of at most 500 tokens, and a bounded number waits', async () => {
    const results: string[] = [];
    for (let index = 0; index < 3_000; index++) {
      const note = (result: string) => results.push(result);
      finder.find(tokenOf(index)).then(
        () => note('found'),
        (error) => note(error.code),
      );
    }
    await settle();
    expect(reads.map(({ tokens }) => tokens.length)).toEqual([500]);
    expect(results).toEqual(Array(3_000 - UNKNOWN_LOOKUPS.maxWaiting).fill('overloaded'));
    reads[0]?.answer();
    await settle();
    expect(reads.map(({ tokens }) => tokens.length)).toEqual([500, 500]);
  });

  it('a new tunnel is found by the next statement but one', async () => {
    await flood(10);
    const token = addTunnel('new');
    const found = finder.find(token);
    await settle();
    reads[0]?.answer();
    await settle();
    expect(reads[1]?.tokens).toEqual([token]);
    reads[1]?.answer();
    expect((await found)?.id).toBe('new');
  });
});

describe('the lookup of a tunnel', () => {
  it('is shared by requests at the same time', async () => {
    const token = addTunnel('mine');
    const all = Promise.all(Array.from({ length: 50 }, () => finder.find(token)));
    await settle();
    expect(reads.map(({ tokens }) => tokens)).toEqual([[token]]);
    reads[0]?.answer();
    expect(new Set((await all).map((tunnel) => tunnel?.id))).toEqual(new Set(['mine']));
  });

  it('is repeated after a second, for an unknown token too, so changes take effect', async () => {
    const token = addTunnel('mine');
    await findAtOnce(token);
    tunnels.delete(token);
    nowMs += CACHE_MS - 1;
    expect(await finder.find(token)).not.toBeNull();
    nowMs += 1;
    expect(await findAtOnce(token)).toBeNull();
    expect(await finder.find(token)).toBeNull();
    nowMs += CACHE_MS;
    addTunnel('mine');
    expect((await findAtOnce(token))?.id).toBe('mine');
  });

  it('is repeated at once after a change of the tunnel, and not for other tunnels', async () => {
    const [token, other] = [addTunnel('mine'), addTunnel('other')];
    await findAtOnce(token);
    await findAtOnce(other);
    finder.forget('mine');
    tunnels.delete(token);
    expect((await finder.find(other))?.id).toBe('other');
    expect(await findAtOnce(token)).toBeNull();
    finder.forget(null);
    expect((await findAtOnce(other))?.id).toBe('other');
  });

  it('does not remember what a statement finds that ran while the tunnel changed', async () => {
    const token = addTunnel('mine');
    const before = finder.find(token);
    await settle();
    finder.forget('mine');
    const after = finder.find(token);
    reads[0]?.answer();
    expect((await before)?.id).toBe('mine');
    await settle();
    tunnels.delete(token);
    reads[1]?.answer();
    expect(await after).toBeNull();
    expect(await finder.find(token)).toBeNull();
    expect(reads).toHaveLength(2);
  });

  it('fails with the statement, and is tried again by the next request', async () => {
    const token = addTunnel('mine');
    const failing = finder.find(token);
    await settle();
    reads[0]?.fail(new Error('away'));
    await expect(failing).rejects.toThrow('away');
    expect((await findAtOnce(token))?.id).toBe('mine');
  });

  it('costs no statement for what cannot be a token', async () => {
    for (const text of ['', '../../etc', 'x'.repeat(42), 'x'.repeat(44), `${'x'.repeat(42)}/`]) {
      expect(await finder.find(text)).toBeNull();
    }
    expect(reads).toEqual([]);
  });
});

it('remembers tokens without the URLs they were read from', async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const finding = new TunnelFinder(async () => new Map());
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let index = 0; index < 2_000; index++) {
    const url = Buffer.from(`/t/${tokenOf(index)}/${'y'.repeat(30_000)}`).toString();
    await finding.find(url.slice(3, 46));
  }
  collect();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000);
  expect(await finding.find(tokenOf(0))).toBeNull();
});
