import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { describeIssue } from './describe-issue';

const faultOf = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value, { error: describeIssue }).error?.issues[0]?.message;

describe('the message of a validation error', () => {
  it.each<[string, z.ZodType, unknown]>([
    ['is required', z.string(), undefined],
    ['is required', z.enum(['a', 'b']), undefined],
    ['must be a text', z.string(), 7],
    ['must be a number', z.number(), 'x'],
    ['must be a whole number', z.int(), 1.5],
    ['must be true or false', z.boolean(), 'yes'],
    ['must be an object', z.strictObject({}), []],
    ['must be a list', z.array(z.string()), {}],
    ['must have at least 3 characters', z.string().min(3), 'a'],
    ['must have at most 1 character', z.string().max(1), 'ab'],
    ['must have at most 1,000 entries', z.array(z.int()).max(1_000), Array(1_001).fill(1)],
    ['must be at most 5', z.number().max(5), 9],
    ['must be one of a, b', z.enum(['a', 'b']), 'c'],
    ['must be x', z.literal('x'), 'y'],
    ['must be a URL', z.url(), 'x'],
    ['must be an id', z.uuid(), 'x'],
    ['must be a time such as 2026-01-31T09:30:00Z', z.iso.datetime(), 'today'],
    ['has an invalid format', z.record(z.string().regex(/^a/), z.string()), { b: 'x' }],
    [
      'must not be b',
      z.record(
        z.string().refine((key) => key !== 'b', 'must not be b'),
        z.string(),
      ),
      { b: 'x' },
    ],
    ['is not valid', z.union([z.string(), z.null()]), 7],
  ])('%s', (message, schema, value) => {
    expect(faultOf(schema, value)).toBe(message);
  });

  it('is the message of the schema, if it has one', () => {
    expect(faultOf(z.string('must be a name'), 7)).toBe('must be a name');
    expect(faultOf(z.string().min(3, 'is too short'), 'a')).toBe('is too short');
  });
});
