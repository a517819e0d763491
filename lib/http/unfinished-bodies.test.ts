import { expect, it } from 'vitest';
import type { AppError } from '@/lib/platform/errors';
import { UnfinishedBodies } from './unfinished-bodies';

function enterAs(bodies: UnfinishedBodies, network: string) {
  const ended: string[] = [];
  return { ...bodies.enter(network, ({ code }: AppError) => ended.push(code)), ended };
}

it('ends the oldest body of the network with the most bytes when the memory for bodies is full', () => {
  const bodies = new UnfinishedBodies(100);
  const [oldest, other, ofAnother] = ['a', 'a', 'b'].map((network) => enterAs(bodies, network));
  oldest?.add(30);
  other?.add(40);
  ofAnother?.add(30);
  expect([oldest?.ended, bodies.bytes]).toEqual([[], 100]);
  ofAnother?.add(1);
  expect([oldest?.ended, other?.ended, ofAnother?.ended]).toEqual([['overloaded'], [], []]);
  expect(bodies.bytes).toBe(71);
});

it('forgets a body that has ended', () => {
  const bodies = new UnfinishedBodies(100);
  const body = enterAs(bodies, 'a');
  body.add(90);
  body.leave();
  body.leave();
  body.add(90);
  expect([bodies.bytes, body.ended]).toEqual([0, []]);
});
