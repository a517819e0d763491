import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { setOnce } from '@/lib/platform/globals';
import { noteActive } from '@/lib/platform/pace';
import { takeVisitTurn } from './admission';

beforeEach(() => {
  vi.useFakeTimers();
  setOnce('owners-of-projects', { get: async (projectId: string) => projectId });
});
afterEach(() => {
  vi.useRealTimers();
  for (const name of ['owners-of-projects', 'tunnel-visits', 'active-owners']) setOnce(name, undefined);
});

/** Begins requests of an owner. @returns how many have their turn */
function begin(owner: string, count: number): { begun: number; connections: PassThrough[]; errors: unknown[] } {
  const visits = { begun: 0, connections: [] as PassThrough[], errors: [] as unknown[] };
  for (let index = 0; index < count; index++) {
    const connection = new PassThrough();
    visits.connections.push(connection);
    takeVisitTurn(owner, connection).then(
      () => (visits.begun += 1),
      (error) => visits.errors.push(error),
    );
  }
  return visits;
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

it('requests of an owner begin 400 at once and 200 a second while others are active, and those of others do not wait', async () => {
  noteActive('other');
  const visits = begin('owner', 1_000);
  await pass(0);
  expect(visits.begun).toBe(401);
  const others = begin('other', 1);
  await pass(0);
  expect(others.begun).toBe(1);
  await pass(1_000);
  expect(visits.begun).toBeGreaterThan(550);
  expect(visits.begun).toBeLessThanOrEqual(610);
});

it('all begin at once for an owner who is alone', async () => {
  const visits = begin('lonely', 1_000);
  await pass(0);
  expect(visits.begun).toBe(1_000);
});

it('2,500 requests of an owner may wait; others get tunnel_busy, and a visitor who leaves makes room', async () => {
  noteActive('other');
  const visits = begin('owner', 3_000);
  await pass(0);
  expect(visits.errors).toHaveLength(3_000 - 401 - 2_500);
  expect(visits.errors[0]).toMatchObject({ code: 'tunnel_busy' });
  visits.connections[1_000]?.destroy();
  await pass(0);
  const late = begin('owner', 1);
  await pass(0);
  expect(late.errors).toEqual([]);
});
