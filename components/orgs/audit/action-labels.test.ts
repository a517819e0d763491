import { expect, it } from 'vitest';
import { AUDIT_ACTIONS } from '@/lib/audit/types';
import { ACTION_LABELS, actionLabel, targetLabel } from './action-labels';

it('has a distinct label for every action', () => {
  expect(Object.keys(ACTION_LABELS).toSorted()).toEqual([...AUDIT_ACTIONS].toSorted());
  expect(new Set(Object.values(ACTION_LABELS)).size).toBe(AUDIT_ACTIONS.length);
});

it('returns an unknown action unchanged', () => {
  expect(actionLabel('gone.away')).toBe('gone.away');
  expect(actionLabel('toString')).toBe('toString');
});

it('labels the target type', () => {
  expect(targetLabel('api_key')).toBe('API key');
  expect(targetLabel('tunnel_route')).toBe('Tunnel route');
});
