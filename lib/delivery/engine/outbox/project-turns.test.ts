import { describe, expect, it } from 'vitest';
import { ProjectTurns } from './project-turns';

const room = () => 100;

function takeTurn(turns: ProjectTurns): string {
  const next = turns.next(room);
  turns.begin(next);
  const [turn] = next;
  if (turn === undefined) throw new Error('no turn');
  return turn.projectId;
}

describe('a project with new rows', () => {
  it('has another turn when the news comes while a take runs, which cannot see the row', () => {
    const turns = new ProjectTurns();
    turns.add('p');
    const project = takeTurn(turns);
    turns.add('p');
    turns.finish(project, { count: 1, deliveries: 1 }, false);
    expect(turns.next(room)).toHaveLength(1);
  });

  it('has no other turn without news', () => {
    const turns = new ProjectTurns();
    turns.add('p');
    turns.finish(takeTurn(turns), { count: 1, deliveries: 1 }, false);
    expect(turns.next(room)).toHaveLength(0);
  });

  it('has one take at a time, and another one after a failure', () => {
    const turns = new ProjectTurns();
    turns.add('p');
    const next = turns.next(room);
    turns.begin(next);
    expect(turns.next(room)).toHaveLength(0);
    turns.cancel(next);
    expect(turns.next(room)).toHaveLength(1);
  });

  it('that a poll has seen is tried a few times when others hold its rows, and then left to the next poll', () => {
    const turns = new ProjectTurns();
    turns.add('p', true);
    turns.finish(takeTurn(turns), { count: 0, deliveries: 0 }, false);
    expect(turns.next(room)).toHaveLength(0);
    expect(turns.nextTakeInMs()).toBeLessThan(20);
    turns.add('p');
    turns.finish(takeTurn(turns), { count: 0, deliveries: 0 }, false);
    expect(turns.nextTakeInMs()).toBeLessThan(40);
  });
});

describe('a take', () => {
  it('is of few rows, and of many when rows were left behind', () => {
    const turns = new ProjectTurns();
    turns.add('p');
    expect(turns.next(() => 1_000)).toEqual([{ projectId: 'p', most: 16 }]);
    turns.finish(takeTurn(turns), { count: 16, deliveries: 16 }, true);
    expect(turns.next(() => 1_000)).toEqual([{ projectId: 'p', most: 200 }]);
  });

  it('is of as many rows as its deliveries are likely to fit in', () => {
    const turns = new ProjectTurns();
    turns.add('p');
    turns.finish(takeTurn(turns), { count: 2, deliveries: 2_000 }, true);
    expect(turns.next(() => 1_000)).toEqual([{ projectId: 'p', most: 2 }]);
  });
});
