import { expect, it } from 'vitest';
import { replayDisabledReason } from './replay-reason';

const [online, offline] = [true, false].map((isOnline) => ({ online: isOnline, testResponse: null }));
const whole = { replayObstacle: null };
const cut = { replayObstacle: 'body_truncated' } as const;

it('allows the replay of a request that was stored entirely while the tunnel is online', () => {
  expect(replayDisabledReason(whole, online, undefined)).toBeUndefined();
});

it('names the most lasting reason first: the role, then the log, then the client', () => {
  expect(replayDisabledReason(cut, offline, 'Your role is too low.')).toBe('Your role is too low.');
  expect(replayDisabledReason(cut, offline, undefined)).toMatch(/^Only the beginning/);
  expect(replayDisabledReason(whole, offline, undefined)).toMatch(/offline/);
});

it('does not claim that a tunnel is offline before its state is known', () => {
  expect(replayDisabledReason(whole, undefined, undefined)).toBeUndefined();
});

it('allows the replay to a test receiver, which has no client', () => {
  const receiver = { online: false, testResponse: { status: 200, delaySeconds: 0 } };
  expect(replayDisabledReason(whole, receiver, undefined)).toBeUndefined();
});
