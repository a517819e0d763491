import { expect, it } from 'vitest';
import { replayDisabledReason } from './replay-reason';

const whole = { replayObstacle: null };
const cut = { replayObstacle: 'body_truncated' } as const;

it('allows the replay of a request that was stored entirely while the tunnel is online', () => {
  expect(replayDisabledReason(whole, { online: true }, undefined)).toBeUndefined();
});

it('names the most lasting reason first: the role, then the log, then the client', () => {
  expect(replayDisabledReason(cut, { online: false }, 'Your role is too low.')).toBe('Your role is too low.');
  expect(replayDisabledReason(cut, { online: false }, undefined)).toMatch(/^Only the beginning/);
  expect(replayDisabledReason(whole, { online: false }, undefined)).toMatch(/offline/);
});

it('does not claim that a tunnel is offline before its state is known', () => {
  expect(replayDisabledReason(whole, undefined, undefined)).toBeUndefined();
});
