import { expect, it } from 'vitest';
import { exampleOf } from './examples';
import type { JsonSchema } from './json-schema';

const id = { type: 'string', format: 'uuid' };

function make(properties: Record<string, JsonSchema>): Record<string, unknown> {
  const components = { Thing: { type: 'object', properties } };
  return exampleOf({ $ref: '#/components/schemas/Thing' }, components) as Record<string, unknown>;
}

it('gives the ids of two fields different values, and one field the same value everywhere', () => {
  const { id: own, endpointId, eventId } = make({ id, endpointId: id, eventId: id });
  expect(new Set([own, endpointId, eventId]).size).toBe(3);
  expect(make({ endpointId: id }).endpointId).toBe(endpointId);
});

it('prefers the example that a schema declares to one of its type', () => {
  expect(make({ failed: { type: 'integer', examples: [0] } }).failed).toBe(0);
  expect(make({ failed: { type: 'boolean' } }).failed).toBe(true);
  expect(make({ type: { type: 'string', enum: ['a', 'b'] } }).type).toBe('a');
});

it('leaves out the text and the number that may be null', () => {
  expect(make({ error: { type: ['string', 'null'] } }).error).toBeNull();
  expect(make({ sentAt: { type: ['string', 'null'], format: 'date-time' } }).sentAt).toEqual(expect.any(String));
});
