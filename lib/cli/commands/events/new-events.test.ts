import { describe, expect, it } from 'vitest';
import type { EventListItem } from '@/lib/events/schema';
import { NewEvents } from './new-events';

/** A project whose list is newest first, as that of the API. */
function project() {
  const events: EventListItem[] = [];
  const add = (id: string, seconds: number) => {
    const createdAt = new Date(1_800_000_000_000 + seconds * 1000).toISOString();
    events.push({ id, type: 'a', createdAt, deliveries: { pending: 0, succeeded: 0, failed: 0 } });
    events.sort((a, b) => b.createdAt.localeCompare(a.createdAt));
  };
  const list = ({ limit, from }: { limit: number; from?: Date }) => {
    const matching = events.filter((event) => from === undefined || new Date(event.createdAt) >= from);
    const page = Promise.resolve({ data: matching.slice(0, limit) });
    return Object.assign(page, {
      async *[Symbol.asyncIterator]() {
        yield* matching;
      },
    });
  };
  return { add, fresh: new NewEvents(list) };
}
const ids = (events: EventListItem[]) => events.map(({ id }) => id);

describe('following events', () => {
  it('shows each new event once, oldest first, and none that existed', async () => {
    const { add, fresh } = project();
    add('old', 0);
    await fresh.start();
    expect(await fresh.next()).toEqual([]);
    add('b', 2);
    add('a', 1);
    expect(ids(await fresh.next())).toEqual(['a', 'b']);
    expect(await fresh.next()).toEqual([]);
  });

  it('shows an event that commits late, below newer ones', async () => {
    const { add, fresh } = project();
    add('old', 0);
    await fresh.start();
    add('newer', 9);
    expect(ids(await fresh.next())).toEqual(['newer']);
    add('late', 3);
    expect(ids(await fresh.next())).toEqual(['late']);
    add('much newer', 60);
    expect(ids(await fresh.next())).toEqual(['much newer']);
    expect(await fresh.next()).toEqual([]);
  });

  it('shows the first events of an empty project', async () => {
    const { add, fresh } = project();
    await fresh.start();
    add('first', 0);
    expect(ids(await fresh.next())).toEqual(['first']);
    expect(await fresh.next()).toEqual([]);
  });
});
