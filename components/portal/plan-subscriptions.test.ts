import { expect, it } from 'vitest';
import { planSubscriptions } from './plan-subscriptions';

it('adds, enables and removes what differs, and adds before it removes', () => {
  const present = [
    { id: '1', eventType: 'kept', enabled: true },
    { id: '2', eventType: 'removed', enabled: true },
    { id: '3', eventType: 'enabled', enabled: false },
    { id: '4', eventType: 'left off', enabled: false },
  ];
  expect(planSubscriptions(present, ['kept', 'enabled', '*'])).toEqual([
    { method: 'PATCH', id: '3', body: { enabled: true } },
    { method: 'POST', body: { eventType: '*' } },
    { method: 'DELETE', id: '2' },
  ]);
  expect(planSubscriptions(present, ['removed', 'kept'])).toEqual([]);
});
