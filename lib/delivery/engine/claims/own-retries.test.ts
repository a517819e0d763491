import { expect, it } from 'vitest';
import { OwnRetries } from './own-retries';

const ownerOf = (projectId: string) => projectId.split('/')[0] ?? projectId;
const target = (owner: string, id: number | string) => ({ targetId: `${owner}/${id}`, projectId: `${owner}/p` });

it('the retries of a target are due when their time has come, and once', () => {
  const retries = new OwnRetries(ownerOf);
  retries.add(target('a', 1), 1_000, 0);
  retries.add(target('a', 1), 990, 0);
  retries.add(target('a', 1), 5_000, 0);
  retries.add(target('b', 1), 60_000, 0);
  expect([retries.takeDue(999), retries.nextInMs(990)]).toEqual([[], 10]);
  expect(retries.takeDue(1_050)).toEqual([target('a', 1)]);
  expect(retries.takeDue(4_900)).toEqual([]);
  expect(retries.takeDue(5_050)).toEqual([target('a', 1)]);
  expect(retries.takeDue(60_050)).toEqual([target('b', 1)]);
  expect([retries.takeDue(1_000_000), retries.nextInMs()]).toEqual([[], null]);
});

it('owners share their number, so that one with many leaves room for others', () => {
  const retries = new OwnRetries(ownerOf);
  for (let id = 0; id < 20_000; id += 1) retries.add(target('a', id), 1_000, 0);
  for (let id = 0; id < 10; id += 1) retries.add(target('b', id), 1_000, 0);
  const due = retries.takeDue(1_050);
  expect(due.filter(({ projectId }) => projectId === 'a/p')).toHaveLength(5_000);
  expect(due.filter(({ projectId }) => projectId === 'b/p')).toHaveLength(10);
  retries.add(target('a', 1), 1_000, 2_000);
  expect(retries.takeDue(3_050)).toEqual([target('a', 1)]);
});
