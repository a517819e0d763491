import { beforeEach, expect, it } from 'vitest';
import { isFamiliar, noteFailedSignIn, noteSignedIn } from './familiar-networks';
import { forgetAll } from './globals';

beforeEach(forgetAll);

it('a network is familiar once somebody has signed in there', () => {
  expect(isFamiliar('192.0.2.1')).toBe(false);
  noteSignedIn('192.0.2.1');
  expect([isFamiliar('192.0.2.1'), isFamiliar('192.0.2.2')]).toEqual([true, false]);
});

it('stays familiar with a few wrong passwords, but not with five, until somebody signs in again', () => {
  noteSignedIn('192.0.2.1');
  for (let failures = 0; failures < 4; failures += 1) noteFailedSignIn('192.0.2.1');
  expect(isFamiliar('192.0.2.1')).toBe(true);
  noteFailedSignIn('192.0.2.1');
  expect(isFamiliar('192.0.2.1')).toBe(false);
  noteSignedIn('192.0.2.1');
  expect(isFamiliar('192.0.2.1')).toBe(true);
});

it('never becomes familiar by failures, and remembers a bounded number of networks', () => {
  noteFailedSignIn('192.0.2.1');
  expect(isFamiliar('192.0.2.1')).toBe(false);
  for (let network = 0; network <= 20_000; network += 1) noteSignedIn(`network ${network}`);
  expect([isFamiliar('network 0'), isFamiliar('network 1')]).toEqual([false, true]);
});
