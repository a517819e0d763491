import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { noteActive } from '@/lib/platform/pace';
import { makeJob } from '@/tests/delivery/dispatcher';
import { OutboxTurns, type OwnerLoad, type Room } from './outbox-turns';
import { StoreQueue } from './store-queue';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const roomFor = (count: number): Room => ({ ofOwner: () => count, ofTurn: () => count });
const room = roomFor(100);
/** The owner of a project `owner/name`. */
const ownerOf = (projectId: string) => projectId.split('/')[0] ?? projectId;

function takeTurn(turns: OutboxTurns): string {
  const next = turns.next('light', room);
  turns.begin(next);
  const [turn] = next;
  if (turn === undefined) throw new Error('no turn');
  return turn.key;
}

/** Lets a turn have had a row with so many deliveries. */
function learn(turns: OutboxTurns, key: string, deliveries = 1): void {
  turns.add(key);
  turns.begin([{ key, most: 1 }]);
  turns.finish(key, { count: 1, deliveries }, false);
}

describe('a project with new rows', () => {
  it('gets another turn if it is added during a take, which cannot see the new row', () => {
    const turns = new OutboxTurns(ownerOf);
    turns.add('p');
    const project = takeTurn(turns);
    turns.add('p');
    turns.finish(project, { count: 1, deliveries: 1 }, false);
    expect(turns.next('light', room)).toHaveLength(1);
  });

  it('gets no other turn if it is not added again', () => {
    const turns = new OutboxTurns(ownerOf);
    turns.add('p');
    turns.finish(takeTurn(turns), { count: 1, deliveries: 1 }, false);
    expect(turns.next('light', room)).toHaveLength(0);
  });

  it('has one take at a time, and gets another turn after a failure', () => {
    const turns = new OutboxTurns(ownerOf);
    turns.add('p');
    const next = turns.next('light', room);
    turns.begin(next);
    expect(turns.next('light', room)).toHaveLength(0);
    turns.cancel(next);
    expect(turns.next('light', room)).toHaveLength(1);
  });

  it('that a poll found is tried again after a short pause when a take returns nothing', () => {
    const turns = new OutboxTurns(ownerOf);
    turns.add('p', true);
    turns.finish(takeTurn(turns), { count: 0, deliveries: 0 }, false);
    expect(turns.next('light', room)).toHaveLength(0);
    expect(turns.nextTakeInMs()).toBeLessThan(20);
    turns.add('p');
    turns.finish(takeTurn(turns), { count: 0, deliveries: 0 }, false);
    expect(turns.nextTakeInMs()).toBeLessThan(40);
  });
});

describe('an owner of many projects', () => {
  it('does not delay the rows of others, who have takes of their own', () => {
    const turns = new OutboxTurns(ownerOf);
    learn(turns, 'attacker/0');
    for (let count = 0; count < 200; count += 1) turns.add(`attacker/${count}`);
    turns.add('victim/1');
    turns.add('victim/2');
    const next = (load: OwnerLoad) => turns.next(load, room).map(({ key }) => key);
    expect(next('light')).toEqual(['victim/1', 'victim/2']);
    expect(next('heavy')).toEqual(Array.from({ length: 100 }, (_, count) => `attacker/${count}`));
  });

  it('leaves places in the queue to others, who may have as many', () => {
    const turns = new OutboxTurns(ownerOf);
    for (const name of ['attacker-0', 'attacker-399', 'newcomer']) learn(turns, `${name}/0`);
    const poll = (owners: number, projects: number) => {
      turns.evict();
      for (let owner = 0; owner < owners; owner += 1)
        for (let count = 0; count < projects; count += 1) turns.add(`attacker-${owner}/${count}`, true);
    };
    poll(1, 10_000);
    poll(400, 60);
    poll(400, 60);
    for (let count = 0; count < 30; count += 1) turns.add(`newcomer/${count}`);
    const roomOf = (name: string): Room => ({ ofOwner: (ownerId) => (ownerId === name ? 1 : 0), ofTurn: () => 1 });
    const found = ['attacker-0', 'attacker-399', 'newcomer'].map((name) => turns.next('heavy', roomOf(name)).length);
    expect(found).toEqual([24, 24, 24]);
  });

  it('without room gets no turn, and none of its projects is looked at', () => {
    const turns = new OutboxTurns(ownerOf);
    learn(turns, 'attacker/0');
    for (let count = 0; count < 200; count += 1) turns.add(`attacker/${count}`);
    const looked: string[] = [];
    const ofTurn = (key: string) => looked.push(key);
    expect(turns.next('heavy', { ofOwner: () => 0, ofTurn })).toEqual([]);
    expect(looked).toEqual([]);
    expect(turns.next('heavy', { ofOwner: () => 1, ofTurn })).toHaveLength(100);
    expect(looked).toHaveLength(100);
  });

  it('has 500 projects without room searched at a time, and the next search continues after them', () => {
    const turns = new OutboxTurns(ownerOf);
    for (let count = 0; count < 2_000; count += 1) turns.add(`attacker/${count}`);
    const looked: string[] = [];
    const onlyTheLast: Room = {
      ofOwner: () => 1,
      ofTurn: (key) => {
        looked.push(key);
        return key === 'attacker/1999' ? 1 : 0;
      },
    };
    for (let search = 1; search <= 3; search += 1) {
      expect(turns.next('heavy', onlyTheLast)).toEqual([]);
      expect(looked).toHaveLength(search * 500);
      expect(turns.nextTakeInMs()).toBe(0);
    }
    expect(turns.next('heavy', onlyTheLast)).toEqual([{ key: 'attacker/1999', most: 1 }]);
    expect(new Set(looked).size).toBe(2_000);
  });

  it('has its projects searched again after a pause once none of them has room', () => {
    const turns = new OutboxTurns(ownerOf);
    for (let count = 0; count < 2_000; count += 1) turns.add(`attacker/${count}`);
    const waits: (number | null)[] = [];
    for (let search = 1; search <= 8; search += 1) {
      turns.next('heavy', { ofOwner: () => 1, ofTurn: () => 0 });
      waits.push(turns.nextTakeInMs());
    }
    expect(waits).toEqual([0, 0, 0, 100, 0, 0, 0, 100]);
  });

  it('does not keep the projects of others from being looked at', () => {
    const turns = new OutboxTurns(ownerOf);
    for (let owner = 0; owner < 600; owner += 1) turns.add(`${owner}/1`);
    const onlyTheLast: Room = { ofOwner: () => 1, ofTurn: (key) => (key === '599/1' ? 1 : 0) };
    expect(turns.next('light', onlyTheLast)).toEqual([]);
    expect(turns.next('light', onlyTheLast)).toEqual([{ key: '599/1', most: 1 }]);
    expect(turns.next('light', onlyTheLast)).toHaveLength(1);
  });

  it('gets as many rows of a take as another owner with a backlog', () => {
    const turns = new OutboxTurns(ownerOf);
    turns.add('victim/1');
    turns.finish(takeTurn(turns), { count: 1, deliveries: 1 }, true);
    learn(turns, 'attacker/0');
    for (let count = 0; count < 200; count += 1) turns.add(`attacker/${count}`);
    const rowsOf = (owner: string) =>
      turns
        .next('heavy', room)
        .filter(({ key }) => ownerOf(key) === owner)
        .reduce((sum, { most }) => sum + most, 0);
    expect([rowsOf('attacker'), rowsOf('victim')]).toEqual([99, 100]);
  });

  it('loses its turn to others with each take, and its projects take turns', () => {
    const turns = new OutboxTurns(ownerOf);
    for (const key of ['a/1', 'a/2', 'b/1']) turns.add(key);
    const [first] = turns.next('light', room);
    turns.begin(first ? [first] : []);
    turns.finish('a/1', { count: 1, deliveries: 1 }, false);
    turns.add('a/1');
    expect(turns.next('light', room).map(({ key }) => key)).toEqual(['b/1', 'a/2', 'a/1']);
  });
});

describe('the customers of a project', () => {
  it('take turns, after the projects of their owner', () => {
    const turns = new OutboxTurns(ownerOf);
    for (const key of ['a/1:x', 'a/1:y', 'a/1', 'a/2:z', 'a/2']) turns.add(key);
    const next = () => turns.next('light', room).map(({ key }) => key);
    expect(next()).toEqual(['a/1:x', 'a/2:z', 'a/1:y', 'a/2', 'a/1']);
    turns.begin(turns.next('light', room).slice(0, 1));
    turns.finish('a/1:x', { count: 1, deliveries: 1 }, false);
    turns.add('a/1:x');
    expect(next()).toEqual(['a/2:z', 'a/1:y', 'a/2', 'a/1', 'a/1:x']);
  });

  it('get their turn although another one has no room, or a take in flight', () => {
    const turns = new OutboxTurns(ownerOf);
    for (const key of ['a/1:x', 'a/1:y']) turns.add(key);
    expect(turns.next('light', { ofOwner: () => 1, ofTurn: (key) => (key === 'a/1:x' ? 0 : 1) })).toEqual([
      { key: 'a/1:y', most: 1 },
    ]);
    turns.begin([{ key: 'a/1:x', most: 1 }]);
    expect(turns.next('light', roomFor(1))).toEqual([{ key: 'a/1:y', most: 1 }]);
  });
});

describe('the deliveries that must be stored', () => {
  const jobs = (targetId: string, count: number) => Array.from({ length: count }, () => makeJob(targetId));

  it('of an owner of many projects leave room for others, who do not wait for them', () => {
    const queue = new StoreQueue(ownerOf);
    for (let count = 0; count < 20; count += 1) {
      if (queue.hasRoomFor('attacker')) queue.add(`attacker/${count}`, jobs('attacker', 1_000));
    }
    expect([queue.hasRoomFor('attacker'), queue.hasRoomFor('victim')]).toEqual([false, true]);
    queue.add('victim/1', jobs('victim', 10));
    expect([queue.isBusy('victim/1'), queue.isBusy('victim/2')]).toEqual([true, false]);
    const stored = queue.nextBatch().map(({ targetId }) => targetId);
    expect(stored.filter((id) => id === 'victim')).toHaveLength(10);
    let left = 0;
    while (!queue.isEmpty) left += queue.nextBatch().length;
    expect(left + stored.length).toBe(5_010);
  });

  it('of many owners leave room for the first event of another, up to 100,000', () => {
    const queue = new StoreQueue(ownerOf);
    for (let owner = 0; owner < 20; owner += 1) queue.add(`${owner}/1`, jobs(String(owner), 1_000));
    expect([queue.hasRoomFor('0'), queue.hasRoomFor('victim')]).toEqual([false, true]);
    queue.add('victim/1', jobs('victim', 5));
    expect(queue.hasRoomFor('victim')).toBe(false);
    expect(queue.nextBatch().filter(({ targetId }) => targetId === 'victim')).toHaveLength(5);
    queue.add('0/2', jobs('0', 80_000));
    expect(queue.hasRoomFor('another')).toBe(true);
    queue.add('0/2', jobs('0', 20_000));
    expect(queue.hasRoomFor('another')).toBe(false);
  });

  const storeIn = (queue: StoreQueue, turn: string, count: number) => {
    queue.add(turn, jobs(ownerOf(turn), count));
    while (!queue.isEmpty) queue.nextBatch();
  };

  it('of an owner who has had thousands stored wait for the next second, unless the owner is alone', () => {
    const queue = new StoreQueue(ownerOf);
    noteActive('other');
    for (let count = 0; count < 14; count += 1) storeIn(queue, 'attacker/1', 1_000);
    expect([queue.hasRoomFor('attacker'), queue.hasRoomFor('other')]).toEqual([false, true]);
    expect(queue.nextRoomInMs()).toBeGreaterThan(400);
    expect(queue.nextRoomInMs()).toBeLessThanOrEqual(1_000);
    for (let count = 0; count < 14; count += 1) storeIn(queue, 'other/1', 1_000);
    expect(queue.hasRoomFor('other')).toBe(true);
  });

  it('of a customer do not keep the other customers of its project waiting', () => {
    const queue = new StoreQueue(ownerOf);
    noteActive('other');
    queue.add('owner/p:busy', jobs('owner', 1));
    expect([queue.isBusy('owner/p:busy'), queue.isBusy('owner/p:idle'), queue.isBusy('owner/p')]).toEqual([
      true,
      false,
      false,
    ]);
    queue.nextBatch();
    expect(queue.isBusy('owner/p:busy')).toBe(false);
    storeIn(queue, 'owner/p:busy', 11_000);
    expect([queue.isBusy('owner/p:busy'), queue.isBusy('owner/p:idle'), queue.hasRoomFor('owner')]).toEqual([
      true,
      false,
      true,
    ]);
  });
});

describe('a take', () => {
  it('asks for few rows, and for many after a take that left rows, until none are left', () => {
    const turns = new OutboxTurns(ownerOf);
    turns.add('p');
    expect(turns.next('light', roomFor(1_000))).toEqual([{ key: 'p', most: 16 }]);
    turns.finish(takeTurn(turns), { count: 16, deliveries: 16 }, true);
    expect(turns.next('heavy', roomFor(1_000))).toEqual([{ key: 'p', most: 200 }]);
    turns.finish('p', { count: 200, deliveries: 200 }, false);
    turns.add('p');
    expect(turns.next('heavy', roomFor(1_000))).toEqual([]);
    expect(turns.next('light', roomFor(1_000))).toEqual([{ key: 'p', most: 16 }]);
  });

  it('asks for as many rows as fit into the limit of deliveries', () => {
    const turns = new OutboxTurns(ownerOf);
    turns.add('p');
    turns.finish(takeTurn(turns), { count: 2, deliveries: 2_000 }, true);
    expect(turns.next('heavy', roomFor(1_000))).toEqual([{ key: 'p', most: 2 }]);
  });

  /**
   * Takes until nothing is left, with each turn's rows by key. Each take has as many deliveries as its limits let it have.
   * @returns how many targets each take matched, and the take in which each turn's last row was taken
   */
  function takeAll(turns: OutboxTurns, rows: Map<string, number>, perRow: (key: string) => number) {
    const matched: number[] = [];
    const emptiedIn = new Map<string, number>();
    for (const key of rows.keys()) turns.add(key, true);
    for (let take = 0; take < 1_000; take += 1) {
      const light = turns.next('light', room);
      const next = light.length > 0 ? light : turns.next('heavy', room);
      if (next.length === 0) break;
      turns.begin(next);
      const asked = next.map(({ key, most }) => ({ key, most, count: Math.min(most, rows.get(key) ?? 0) }));
      matched.push(asked.reduce((sum, { key, count }) => sum + count * perRow(key), 0));
      let deliveries = 0;
      const taken = asked.map(({ key, most, count }, place) => {
        let fitting = 0;
        for (; fitting < count; fitting += 1) {
          deliveries += perRow(key);
          if (deliveries > 2_000 && place + fitting > 0 && (fitting > 0 || perRow(key) > 10)) break;
        }
        return { key, most, count: fitting };
      });
      const isTruncated = taken.some(({ count }, place) => count < (asked[place]?.count ?? 0));
      for (const { key, most, count } of taken) {
        const left = (rows.get(key) ?? 0) - count;
        rows.set(key, left);
        if (left === 0 && !emptiedIn.has(key)) emptiedIn.set(key, take);
        turns.finish(key, { count, deliveries: count * perRow(key) }, isTruncated || count >= most);
      }
    }
    return { matched, emptiedIn };
  }

  const named = (owner: string, count: number, rows: number) =>
    Array.from({ length: count }, (_, at) => [`${owner}/${at}`, rows] as const);

  it('asks for no more turns than fit into the limit of deliveries, once a few of their owner were taken', () => {
    const { matched, emptiedIn } = takeAll(new OutboxTurns(ownerOf), new Map(named('owner', 100, 2)), () => 1_000);
    expect(matched[0]).toBeLessThanOrEqual(16_000);
    expect(Math.max(...matched.slice(1))).toBe(2_000);
    expect(emptiedIn.size).toBe(100);
    // One for two rows, and one for two projects that have none left.
    expect(matched.length).toBeLessThanOrEqual(150);
  });

  it('of few rows also keeps the limit', () => {
    const turns = new OutboxTurns(ownerOf);
    for (let owner = 0; owner < 16; owner += 1) learn(turns, `${owner}/1`, 1_000);
    for (let owner = 0; owner < 16; owner += 1) turns.add(`${owner}/1`);
    expect(turns.next('light', room)).toEqual([
      { key: '0/1', most: 1 },
      { key: '1/1', most: 1 },
    ]);
  });

  it('expects as many deliveries of an unknown customer as of the others of its project', () => {
    const turns = new OutboxTurns(ownerOf);
    learn(turns, 'a/1:x', 700);
    learn(turns, 'a/1', 1);
    for (const customer of ['u', 'v', 'w']) turns.add(`a/1:${customer}`);
    turns.add('a/2');
    expect(turns.next('light', room).map(({ key }) => key)).toEqual(['a/1:u', 'a/2', 'a/1:v']);
  });

  it('has room for small events of others beside large ones, and leaves nobody out', () => {
    const rows = new Map([
      ...Array.from({ length: 40 }, (_, at) => named(`large-${at}`, 1, 20)).flat(),
      ...named('large-0', 30, 20),
      ...named('mixed', 30, 20),
      ...named('victim', 1, 1),
    ]);
    const turns = new OutboxTurns(ownerOf);
    learn(turns, 'victim/0');
    const isLarge = (key: string) => key.startsWith('large') || key === 'mixed/0';
    const { emptiedIn } = takeAll(turns, rows, (key) => (isLarge(key) ? 1_000 : 1));
    expect(emptiedIn.get('victim/0')).toBeLessThanOrEqual(1);
    expect(emptiedIn.size).toBe(rows.size);
  });

  it('divides its deliveries between owners, however many turns each has', () => {
    const turns = new OutboxTurns(ownerOf);
    for (let count = 0; count < 50; count += 1) learn(turns, `attacker/${count}`, 20);
    learn(turns, 'victim/1', 20);
    turns.add('victim/1');
    turns.finish('victim/1', { count: 1, deliveries: 20 }, true);
    for (let count = 0; count < 50; count += 1) turns.add(`attacker/${count}`);
    const of = (owner: string) =>
      turns
        .next('heavy', room)
        .filter(({ key }) => ownerOf(key) === owner)
        .reduce((sum, { most }) => sum + most, 0);
    expect(of('victim')).toBeGreaterThan(20);
    expect((of('victim') + of('attacker')) * 20).toBeLessThanOrEqual(2_000);
  });

  it('asks for more rows again after an event with many deliveries', () => {
    const turns = new OutboxTurns(ownerOf);
    learn(turns, 'p', 5_000);
    const asked: number[] = [];
    for (let take = 0; take < 14; take += 1) {
      turns.add('p');
      const [turn] = [...turns.next('light', room), ...turns.next('heavy', room)];
      asked.push(turn?.most ?? 0);
      turns.begin(turn === undefined ? [] : [turn]);
      turns.finish('p', { count: turn?.most ?? 0, deliveries: turn?.most ?? 0 }, true);
    }
    expect(asked.slice(0, 5)).toEqual([1, 1, 1, 3, 6]);
    expect(asked.at(-1)).toBe(100);
  });
});
