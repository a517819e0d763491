import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/clock';
import {
  addInOrder,
  type Evidence,
  edgesOf,
  endMissingAfter,
  evidenceOf,
  findRuns,
  slotsOf,
  toOutages,
} from './outages-policy';

const NOON = Date.UTC(2026, 0, 31, 12);
const at = (minutes: number) => NOON + minutes * MINUTE_MS;
const failed = (minutes: number): Evidence => ({ atMs: at(minutes), succeeded: false });
const succeeded = (minutes: number): Evidence => ({ atMs: at(minutes), succeeded: true });
const runsOf = (...evidence: Evidence[]) => findRuns(evidence, at(600)).map(({ fromMs, toMs }) => [fromMs, toMs]);

it('a run of failures is an outage until the next success', () => {
  expect(runsOf(succeeded(0), failed(62), failed(100), succeeded(181), succeeded(200))).toEqual([[at(62), at(181)]]);
  expect(runsOf(failed(62), failed(100))).toEqual([[at(62), null]]);
});

it('neither a failure alone nor failures that the first retry mends are an outage', () => {
  expect(runsOf(succeeded(0), failed(5), succeeded(90))).toEqual([]);
  expect(runsOf(succeeded(0), failed(5), failed(5.05), succeeded(5.1))).toEqual([]);
  expect(runsOf(succeeded(0), failed(5), failed(5.1), succeeded(5.5))).toEqual([[at(5), at(5.5)]]);
});

it('failures between successes are not an outage, however many there are', () => {
  expect(runsOf(...Array.from({ length: 60 }, (_, n) => (n % 2 === 0 ? failed(n) : succeeded(n))))).toEqual([]);
});

it('a delivery that was retried tells of a failure and a success, and one without a response only of a failure', () => {
  const sample = { atMs: at(0), attempts: 2, completedAtMs: at(9) };
  expect(evidenceOf({ ...sample, status: 'SUCCEEDED' })).toEqual([failed(0), succeeded(9)]);
  expect(evidenceOf({ ...sample, status: 'SUCCEEDED', attempts: 1 })).toEqual([succeeded(9)]);
  expect(evidenceOf({ ...sample, status: 'PENDING', completedAtMs: null })).toEqual([failed(0)]);
  expect(evidenceOf({ ...sample, status: 'FAILED' })).toEqual([failed(0)]);
});

it('looks at the periods with failures and at the next one with a success, within a bound', () => {
  const hour = (n: number, good: number, bad: number) => ({
    startsAtMs: NOON + n * HOUR_MS,
    spanMs: HOUR_MS,
    succeeded: good,
    failed: bad,
  });
  expect(slotsOf([hour(0, 9, 0), hour(1, 9, 0)], NOON)).toEqual([]);
  const slots = slotsOf([hour(0, 9, 0), hour(1, 0, 9), hour(2, 0, 0), hour(5, 9, 0), hour(6, 9, 0)], NOON);
  // Two hours in slots of six seconds.
  expect(slots).toHaveLength(1200);
  expect([slots[0]?.fromMs, slots.at(-1)?.toMs]).toEqual([NOON + HOUR_MS, NOON + 6 * HOUR_MS]);
  const everything = [
    ...Array.from({ length: 33 }, (_, n) => ({ startsAtMs: n * DAY_MS, spanMs: DAY_MS, succeeded: 1, failed: 1 })),
    ...Array.from({ length: 49 }, (_, n) => hour(n, 1, 1)),
  ];
  expect(slotsOf(everything, NOON)).toHaveLength(33 * 96 + 49 * 60);
});

it('looks at periods in order of time, also when the next success is after others with failures', () => {
  const hour = (n: number, good: number) => ({ startsAtMs: n * HOUR_MS, spanMs: HOUR_MS, succeeded: good, failed: 9 });
  const slots = slotsOf([hour(0, 0), hour(1, 0), hour(2, 9)], NOON);
  expect(slots).toEqual(slots.toSorted((a, b) => a.fromMs - b.fromMs));
});

it('evidence that is added in pieces is in the same order as if it were sorted at once, also at the same time', () => {
  const evidence = fc.record({ atMs: fc.nat(20), succeeded: fc.boolean() });
  fc.assert(
    fc.property(fc.array(fc.array(evidence)), (pieces) => {
      const added = pieces.reduce<Evidence[]>(addInOrder, []);
      const sorted = pieces.flat().sort((a, b) => a.atMs - b.atMs);
      expect(added).toHaveLength(sorted.length);
      for (const [place, each] of added.entries()) expect(each).toBe(sorted[place]);
    }),
  );
});

it('looks closer before the first failure and after the last one', () => {
  const [run] = findRuns([succeeded(0), failed(15), failed(30), succeeded(45)], at(600));
  if (run === undefined) throw new Error('there is no run');
  const slots = edgesOf(run);
  const [before, after, growing] = [slots.slice(0, 60), slots.slice(60, 120), slots.slice(120)];
  expect([before[0]?.fromMs, before[59]?.toMs]).toEqual([at(0), at(15)]);
  for (const each of [after, growing]) expect([each[0]?.fromMs, each.at(-1)?.toMs]).toEqual([at(30) + 1, at(45)]);
  const longest = Math.max(...growing.filter(({ fromMs }) => fromMs < at(31)).map(({ fromMs, toMs }) => toMs - fromMs));
  expect(growing.length).toBeLessThanOrEqual(60);
  expect(longest).toBeLessThanOrEqual(20 * SECOND_MS);
});

it('covers whole minutes, newest first, and adds the outage that lasts', () => {
  const runs = findRuns([failed(1.5), failed(3), succeeded(4.2), failed(60), failed(70)], at(600));
  const past = { from: new Date(at(1)), to: new Date(at(5)) };
  expect(toOutages(runs, at(60.4), at(600))).toEqual([{ from: new Date(at(60)), to: null }, past]);
  expect(toOutages(runs, at(600) - SECOND_MS, at(600))).toEqual([past]);
  expect(toOutages([], at(60), at(600))).toEqual([{ from: new Date(at(60)), to: null }]);
});

it('takes outages that share a minute for one', () => {
  const runs = findRuns([failed(1), failed(1.2), succeeded(1.4), failed(1.5), failed(2.5), succeeded(2.6)], at(600));
  expect(toOutages(runs, null, at(600))).toEqual([{ from: new Date(at(1)), to: new Date(at(3)) }]);
  expect(toOutages(runs, at(2.7), at(600))).toEqual([{ from: new Date(at(1)), to: null }]);
});

it('looks for the end of the newest outage when the endpoint does not fail', () => {
  const [open, ended] = [
    [failed(1), failed(3)],
    [failed(1), failed(3), succeeded(4)],
  ].map((e) => findRuns(e, at(9)));
  if (open === undefined || ended === undefined) throw new Error('there is no run');
  expect(endMissingAfter(open, null)).toBe(at(3));
  expect(endMissingAfter(open, at(1))).toBeNull();
  expect(endMissingAfter(ended, null)).toBeNull();
  expect(endMissingAfter([], null)).toBeNull();
});

it('shows failures without a success as lasting also when the endpoint was enabled again', () => {
  const runs = findRuns([failed(1), failed(3)], at(600));
  expect(toOutages(runs, null, at(600))).toEqual([{ from: new Date(at(1)), to: null }]);
});
