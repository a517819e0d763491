import { expect, it } from 'vitest';
import { Batches } from './batches';

/** Runs statements that the test ends. */
function setUp(bounds: { maxRunning: number; maxBatch: number; maxWaiting?: number }) {
  const statements: { rows: readonly string[]; end(): void; fail(error: Error): void }[] = [];
  const batches = new Batches<string, string>(
    (rows) =>
      new Promise((resolve, reject) => {
        statements.push({ rows, end: () => resolve((row) => `${row}!`), fail: reject });
      }),
    bounds,
  );
  const add = (...rows: string[]) => Promise.allSettled(rows.map((row) => batches.add(row)));
  return { statements, add };
}
const settle = () => new Promise(setImmediate);

it('runs one statement for all rows that arrive while another runs, up to a number of rows', async () => {
  const { statements, add } = setUp({ maxRunning: 1, maxBatch: 3 });
  const first = add('a');
  await settle();
  const others = add('b', 'c', 'd', 'e');
  await settle();
  expect(statements.map(({ rows }) => rows)).toEqual([['a']]);
  for (let nth = 0; nth < 3; nth += 1) {
    statements[nth]?.end();
    await settle();
  }
  expect(statements.map(({ rows }) => rows)).toEqual([['a'], ['b', 'c', 'd'], ['e']]);
  const values = [...(await first), ...(await others)].map((each) => each.status === 'fulfilled' && each.value);
  expect(values).toEqual(['a!', 'b!', 'c!', 'd!', 'e!']);
});

it('fails the rows of a statement that fails, and runs the next one', async () => {
  const { statements, add } = setUp({ maxRunning: 1, maxBatch: 2 });
  const results = add('a', 'b', 'c');
  await settle();
  statements[0]?.fail(new Error('down'));
  await settle();
  statements[1]?.end();
  expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
});

it('refuses rows beyond those that may wait', async () => {
  const { statements, add } = setUp({ maxRunning: 1, maxBatch: 1, maxWaiting: 2 });
  const results = add('a', 'b', 'c');
  await settle();
  statements[0]?.end();
  await settle();
  statements[1]?.end();
  expect((await results).map((each) => (each.status === 'rejected' ? each.reason.code : each.value))).toEqual([
    'a!',
    'b!',
    'overloaded',
  ]);
});
