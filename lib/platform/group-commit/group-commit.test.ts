import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { GroupCommit } from './group-commit';

/** A group commit whose statements end when they are told to. */
function makeCommits() {
  const batches: { rows: readonly string[]; end(): void }[] = [];
  const commits = new GroupCommit<string, string>(
    (rows) => new Promise((resolve) => void batches.push({ rows, end: () => resolve([...rows]) })),
    'events',
  );
  const add = (...rows: string[]) =>
    Promise.all(rows.map((row) => commits.add(row, { owner: 'owner', lane: 'lane', size: 1 })));
  const started = () => batches.map(({ rows }) => rows.join(''));
  return { add, started, end: (index: number) => batches[index]?.end() };
}

describe('a row', () => {
  it('is stored at once while no statement is in flight, however soon after the last one', async () => {
    const { add, started, end } = makeCommits();
    for (const [index, row] of ['a', 'b', 'c'].entries()) {
      const stored = add(row);
      await setImmediate();
      expect(started()[index]).toBe(row);
      end(index);
      expect(await stored).toEqual([row]);
    }
  });

  it('shares the statement of those that arrive in the same turn of the event loop', async () => {
    const { add, started } = makeCommits();
    void add('a', 'b');
    await setImmediate();
    expect(started()).toEqual(['ab']);
  });

  it('that arrives during a statement is stored by the next, with all others', async () => {
    const { add, started, end } = makeCommits();
    void add('a');
    await setImmediate();
    for (const row of ['b', 'c']) {
      void add(row);
      await setImmediate();
    }
    expect(started()).toEqual(['a']);
    end(0);
    await setImmediate();
    await setImmediate();
    expect(started()).toEqual(['a', 'bc']);
  });

  it('does not wait for a full batch, or for a statement that takes long', async () => {
    const { add, started } = makeCommits();
    void add('a');
    await setImmediate();
    void add('b');
    await sleep(30);
    expect(started()).toEqual(['a', 'b']);
    const full = makeCommits();
    void full.add('a');
    await setImmediate();
    void full.add(...'x'.repeat(64));
    await setImmediate();
    expect(full.started()).toEqual(['a', 'x'.repeat(64)]);
  });
});

describe('a row whose organization moves to another cell', () => {
  it('is refused with all of its lane, and the others of its batch are stored at once', async () => {
    const stored: string[][] = [];
    const moved = Object.assign(new Error('moves'), { code: '23M01', detail: 'moving' });
    const commits = new GroupCommit<string, string>((rows) => {
      if (rows.includes('b')) return Promise.reject(moved);
      stored.push([...rows]);
      return Promise.resolve([...rows]);
    }, 'events');
    const add = (row: string, lane: string) => commits.add(row, { owner: lane, lane, size: 1 });
    const results = await Promise.allSettled([
      add('a', 'other'),
      add('b', 'moving'),
      add('c', 'moving'),
      add('d', 'other'),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: { code: 'unavailable' } });
    expect(stored).toEqual([['a', 'd']]);
  });

  it('is refused with all of its owner when a second lane moves', async () => {
    let statements = 0;
    const commits = new GroupCommit<string, string>((rows) => {
      statements += 1;
      const [moving] = rows.filter((row) => row !== 'other');
      if (moving === undefined) return Promise.resolve([...rows]);
      return Promise.reject(Object.assign(new Error('moves'), { code: '23M01', detail: moving }));
    }, 'events');
    const names = ['other', ...Array.from({ length: 20 }, (_, index) => `lane ${index}`)];
    const add = (name: string) => commits.add(name, { owner: name.slice(0, 4), lane: name, size: 1 });
    const results = await Promise.allSettled(names.map(add));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(statements).toBe(3);
  });
});
