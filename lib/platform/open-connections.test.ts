import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { setTestConfig } from '@/tests/setup/variables';
import { AppError } from './errors';
import { OpenConnections, type Verdict } from './open-connections';

const ALLOWED: Verdict = { refusal: null, endsInMs: null };
const REFUSED: Verdict = { refusal: new AppError('api_key_revoked', 'Revoked.'), endsInMs: null };

beforeEach(() => {
  setTestConfig();
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Connections whose callers are allowed unless the test says otherwise, by their name, which is also their id. */
function setUp() {
  const connections = new OpenConnections();
  const verdicts = new Map<string, Verdict>();
  const check = vi.fn(async (names: readonly string[]) => names.map((name) => verdicts.get(name) ?? ALLOWED));
  const ended: string[] = [];
  const open = (name: string) => connections.watch(name, check, [name], ({ code }) => ended.push(`${name} ${code}`));
  return { connections, verdicts, check, ended, open };
}

it('checks a connection as soon as it opens, and those that open together at once', async () => {
  const { connections, verdicts, check, ended, open } = setUp();
  verdicts.set('b', REFUSED);
  const [a] = [open('a'), open('b')];
  expect(a.isInDoubt).toBe(true);
  await a.checked();
  expect([a.isInDoubt, ended, check.mock.calls, connections.size]).toEqual([
    false,
    ['b api_key_revoked'],
    [[['a', 'b']]],
    1,
  ]);
});

it('checks only those that a notification names, and again when another one arrives during the check', async () => {
  const { connections, verdicts, check, ended, open } = setUp();
  const [a] = [open('a'), open('b')];
  await vi.advanceTimersByTimeAsync(0);
  check.mockClear();
  connections.receive('a');
  connections.receive('c');
  check.mockImplementationOnce(async () => {
    connections.receive('a');
    return [ALLOWED];
  });
  expect(a.isInDoubt).toBe(true);
  verdicts.set('a', REFUSED);
  await a.checked();
  expect([check.mock.calls, ended]).toEqual([[[['a']], [['a']]], ['a api_key_revoked']]);
});

it('finds by regular checks what no notification told, and checks nothing once all have ended', async () => {
  const { verdicts, check, ended, open } = setUp();
  const [a] = [open('a'), open('b')];
  await vi.advanceTimersByTimeAsync(4_900);
  verdicts.set('b', REFUSED);
  expect(ended).toEqual([]);
  await vi.advanceTimersByTimeAsync(100);
  expect(ended).toEqual(['b api_key_revoked']);
  a.release();
  const before = check.mock.calls.length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect([check.mock.calls.length, vi.getTimerCount()]).toEqual([before, 0]);
});

it('checks a connection again at the moment when its access ends', async () => {
  const { check, ended, open } = setUp();
  const endsAtMs = performance.now() + 23_300.5;
  check.mockImplementation(async () => {
    const endsInMs = endsAtMs - performance.now();
    return [endsInMs > 0 ? { refusal: null, endsInMs } : REFUSED];
  });
  open('a');
  await vi.advanceTimersByTimeAsync(23_300);
  expect(ended).toEqual([]);
  await vi.advanceTimersByTimeAsync(2);
  expect(ended).toEqual(['a api_key_revoked']);
});

it('ends a connection whose caller could not be checked for 30 seconds, and not before', async () => {
  const { connections, check, ended, open } = setUp();
  const a = open('a');
  await a.checked();
  check.mockRejectedValue(new Error('away'));
  connections.receive('');
  await vi.advanceTimersByTimeAsync(29_000);
  expect([a.isInDoubt, ended]).toEqual([true, []]);
  await vi.advanceTimersByTimeAsync(7_000);
  expect([ended, connections.size]).toEqual([['a unavailable'], 0]);
});

it('keeps connections over a short outage; one in doubt is checked when somebody asks', async () => {
  const { connections, check, ended, open } = setUp();
  const a = open('a');
  await a.checked();
  check.mockRejectedValueOnce(new Error('away'));
  connections.receive('a');
  await a.checked();
  expect(a.isInDoubt).toBe(true);
  await a.checked();
  expect([a.isInDoubt, ended]).toEqual([false, []]);
});
