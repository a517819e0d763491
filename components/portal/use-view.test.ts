import { expect, it } from 'vitest';
import { viewOf } from './use-view';

it('goes back to the view of the same customer, and not to that of another one', () => {
  const view = { name: 'delivery', deliveryId: 'd' } as const;
  const state = { 'eds-portal-view': { customer: 'acme', view } };
  expect(viewOf('acme', state)).toEqual(view);
  expect(viewOf('globex', state)).toEqual({ name: 'home', tab: 'endpoints' });
  expect(viewOf('acme', null)).toEqual({ name: 'home', tab: 'endpoints' });
});
