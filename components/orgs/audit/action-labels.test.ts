import { expect, it } from 'vitest';
import { AUDIT_ACTIONS } from '@/lib/audit/types';
import { ACTION_LABELS, actionLabel, targetLabel } from './action-labels';

it('has words of its own for every action', () => {
  expect(Object.keys(ACTION_LABELS).toSorted()).toEqual([...AUDIT_ACTIONS].toSorted());
  expect(new Set(Object.values(ACTION_LABELS)).size).toBe(AUDIT_ACTIONS.length);
});

it('shows an action that is not known any more as it stands', () => {
  expect(actionLabel('gone.away')).toBe('gone.away');
  expect(actionLabel('toString')).toBe('toString');
});

it('names what was acted on', () => {
  expect(targetLabel('api_key')).toBe('API key');
  expect(targetLabel('tunnel_route')).toBe('Tunnel route');
});
