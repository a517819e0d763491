import { expect, it } from 'vitest';
import { AUDIT_ACTIONS } from '@/lib/audit/types';
import { ACTION_WORDS, wordsOfAction, wordsOfTarget } from './action-words';

it('has words of its own for every action', () => {
  expect(Object.keys(ACTION_WORDS).toSorted()).toEqual([...AUDIT_ACTIONS].toSorted());
  expect(new Set(Object.values(ACTION_WORDS)).size).toBe(AUDIT_ACTIONS.length);
});

it('shows an action that is not known any more as it stands', () => {
  expect(wordsOfAction('gone.away')).toBe('gone.away');
  expect(wordsOfAction('toString')).toBe('toString');
});

it('names what was acted on', () => {
  expect(wordsOfTarget('api_key')).toBe('API key');
  expect(wordsOfTarget('tunnel_route')).toBe('Tunnel route');
});
