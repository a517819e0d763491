import { expect, it } from 'vitest';
import { planType } from './take-types';

it.each(['.', '..', 'a b'])('an event type is not made with the name %j, which none can have here', (name) => {
  const { fields, notes } = planType(name, {});
  expect([fields, notes.all.length]).toEqual([null, 1]);
});

it('an event type keeps a name that one can have here', () => {
  expect(planType('...', {}).fields?.name).toBe('...');
});

function plan(levels: number) {
  let schema: object = { type: 'string' };
  for (let level = 0; level < levels; level += 1) schema = { properties: { inner: schema } };
  const { fields, notes } = planType('order.paid', { schema });
  return { schema: fields?.schema, losses: notes.all.map(({ text }) => text) };
}

it('a schema that is nested without end is left out, and its event type is not', () => {
  expect(plan(20_000)).toMatchObject({ schema: null, losses: ['its schema is left out: it is too deep'] });
});

it('a schema that is as deep as one here can be is kept', () => {
  const { schema, losses } = plan(16);
  expect([schema, losses]).toEqual([expect.objectContaining({ properties: expect.anything() }), []]);
});
