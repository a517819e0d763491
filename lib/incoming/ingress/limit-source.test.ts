import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { once, setOnce } from '@/lib/platform/globals';
import { limitSource } from './limit-source';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  setOnce('config', { SOURCE_REQUESTS_PER_MINUTE: 3 });
  setOnce('source-limiter', undefined);
});
afterEach(() => {
  vi.useRealTimers();
});

const send = (sourceId: string, count: number) => {
  for (let sent = 0; sent < count; sent++) limitSource(sourceId);
};

it('accepts as many requests in a minute as are allowed, and says when to send the next', () => {
  send('a', 3);
  vi.advanceTimersByTime(45_500);
  expect(() => limitSource('a')).toThrowError(
    expect.objectContaining({ code: 'rate_limited', options: { retryAfterSeconds: 15 } }),
  );
});

it('accepts requests again after the minute', () => {
  send('a', 3);
  vi.advanceTimersByTime(60_000);
  send('a', 3);
  expect(() => limitSource('a')).toThrowError();
});

it('counts each source separately', () => {
  send('a', 3);
  send('b', 3);
  expect(() => limitSource('b')).toThrowError();
});

it('remembers only the sources of the last minute', () => {
  for (let n = 0; n < 1_000; n++) limitSource(`source ${n}`);
  vi.advanceTimersByTime(59_000);
  limitSource('late');
  vi.advanceTimersByTime(1_000);
  limitSource('source 7');
  const windows = once('source-limiter', () => new Map());
  expect([...windows.keys()]).toEqual(['late', 'source 7']);
});
