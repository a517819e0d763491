import { describe, expect, it } from 'vitest';
import { typeChange, typeMembers } from './use-event-types';

const SHOWN = {
  name: 'order.paid',
  description: 'Paid',
  group: '',
  status: 'ACTIVE',
  schema: '{"type": "object"}',
  example: '',
} as const;

describe('the form of an event type', () => {
  it('sends only what the person changed', () => {
    expect(typeChange(SHOWN, SHOWN)).toEqual({});
    expect(typeChange({ ...SHOWN, description: ' ', status: 'DEPRECATED' }, SHOWN)).toEqual({
      description: 'null',
      status: '"DEPRECATED"',
    });
    expect(typeChange({ ...SHOWN, schema: '' }, SHOWN)).toEqual({ schema: 'null' });
  });

  it('sends everything of a new type, with the digits of numbers as they were typed', () => {
    expect(typeMembers({ ...SHOWN, example: '{"n": 1.00000000000000000001}' })).toEqual({
      name: '"order.paid"',
      description: '"Paid"',
      group: 'null',
      status: '"ACTIVE"',
      schema: '{"type": "object"}',
      example: '{"n": 1.00000000000000000001}',
    });
  });
});
