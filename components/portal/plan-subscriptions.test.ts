import { expect, it } from 'vitest';
import { planSubscriptions } from './plan-subscriptions';

it('adds, enables and removes what differs, and adds before it removes', () => {
  const present = [
    { id: '1', eventType: 'kept', enabled: true },
    { id: '2', eventType: 'removed', enabled: true },
    { id: '3', eventType: 'enabled', enabled: false },
    { id: '4', eventType: 'left off', enabled: false },
  ];
  const shown = ['kept', 'removed'];
  expect(planSubscriptions(present, shown, ['kept', 'enabled', '*'])).toEqual([
    { method: 'PATCH', id: '3', body: { enabled: true } },
    { method: 'POST', body: { eventType: '*' } },
    { method: 'DELETE', id: '2' },
  ]);
  expect(planSubscriptions(present, shown, ['removed', 'kept'])).toEqual([]);
});

it('leaves what a colleague has added or removed since the form opened', () => {
  const present = [{ id: '1', eventType: 'added', enabled: true }];
  expect(planSubscriptions(present, ['gone', 'kept'], ['gone'])).toEqual([]);
  expect(planSubscriptions(present, ['gone'], ['gone', 'wanted'])).toEqual([
    { method: 'POST', body: { eventType: 'wanted' } },
  ]);
  expect(planSubscriptions(present, ['gone'], ['added'])).toEqual([]);
});
