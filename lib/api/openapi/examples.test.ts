import { expect, it } from 'vitest';
import { exampleOf } from './examples';
import type { JsonSchema } from './json-schema';

const text = { type: 'string' };
const id = { type: 'string', format: 'uuid' };

function make(properties: Record<string, JsonSchema>, name = 'Thing'): Record<string, unknown> {
  const components = { [name]: { type: 'object', properties } };
  return exampleOf({ schema: { $ref: `#/components/schemas/${name}` } }, components) as Record<string, unknown>;
}

it('gives the ids of two fields different values, and one field the same value everywhere', () => {
  const { id: own, endpointId, eventId } = make({ id, endpointId: id, eventId: id });
  expect(new Set([own, endpointId, eventId]).size).toBe(3);
  expect(make({ endpointId: id }).endpointId).toBe(endpointId);
});

it('prefers the example of a field of its schema to that of its name', () => {
  expect(make({ name: text }).name).toBe('Web shop');
  expect(make({ name: text }, 'User').name).toBe('Grace Hopper');
  const nested = { invitedBy: { type: 'object', properties: { name: text } } };
  expect(make(nested, 'Invitation').invitedBy).toEqual({ name: 'Ada Lovelace' });
});

it('uses an example only where its type fits', () => {
  expect(make({ failed: { type: 'integer' } }).failed).toBe(0);
  expect(make({ failed: { type: 'boolean' } }).failed).toBe(true);
  expect(make({ type: { type: 'string', enum: ['a', 'b'] } }).type).toBe('a');
  expect(make({ deletedAt: { type: ['string', 'null'] } }).deletedAt).toBeNull();
});
