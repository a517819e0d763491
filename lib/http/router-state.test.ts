import { describe, expect, it } from 'vitest';
import { isRouterState } from './router-state';

const encode = (value: unknown) => encodeURIComponent(JSON.stringify(value));

describe('a router state', () => {
  it.each([
    ['of a page', ['', { children: ['login', { children: ['__PAGE__', {}] }] }, null, null, 1]],
    [
      'with a parameter',
      ['', { children: [['projectId', 'a1', 'd', null], { children: ['__PAGE__', {}] }] }, null, 'refetch'],
    ],
  ])('%s is kept', (_, state) => {
    expect(isRouterState(encode(state))).toBe(true);
  });

  it.each([
    ['without its segments', encode([''])],
    ['of a wrong type', encode({ children: [] })],
    ['that is a number', encode(7)],
    ['of a wrong depth', encode(['', { children: ['x'] }])],
    ['that is not JSON', '%5B'],
    ['with an invalid encoding', '%E0%A4%A'],
    ['that is too large', encode(['x'.repeat(50_000), {}])],
    ['sent twice', [encode(['', {}]), encode(['', {}])]],
  ])('%s is dropped', (_, header) => {
    expect(isRouterState(header)).toBe(false);
  });
});
