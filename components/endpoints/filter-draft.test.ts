import { describe, expect, it } from 'vitest';
import { ApiError } from '@/components/auth-session/api-error';
import { asJsonDraft, asRowsDraft, draftOf, faultOf, NEW_ROW, pathsOf, textOf } from './filter-draft';

const AMOUNT = { path: 'data.amount', op: 'gte', value: 1000 };
const COUNTRY = { path: 'data.country', op: 'in', value: ['DE', 'AT'] };
const NESTED = { all: [AMOUNT, { not: COUNTRY }] };

const errorAt = (path: string) =>
  new ApiError({
    status: 400,
    code: 'validation_failed',
    detail: '',
    errors: [{ path, message: 'must be a number or a string' }],
  });

describe('a filter that is edited', () => {
  it('begins with a row to fill in, with the rows of the filter, or with its JSON where it has groups in groups', () => {
    expect(draftOf(null)).toMatchObject({ isJson: false, rows: [NEW_ROW] });
    expect(draftOf({ any: [AMOUNT, COUNTRY] })).toMatchObject({
      isJson: false,
      join: 'any',
      rows: [
        { path: 'data.amount', op: 'gte', value: '1000' },
        { path: 'data.country', op: 'in', value: 'DE, AT' },
      ],
    });
    expect(draftOf(NESTED)).toMatchObject({ isJson: true, json: JSON.stringify(NESTED, null, 2) });
  });

  it('is incomplete without a path or a value, and none without conditions', () => {
    expect(textOf(draftOf(null))).toBeUndefined();
    expect(textOf({ ...draftOf(null), rows: [] })).toBeNull();
    expect(textOf({ ...draftOf(null), rows: [{ path: 'data.a', op: 'exists', value: '' }] })).toBe(
      '{"path":"data.a","op":"exists","value":true}',
    );
    for (const json of ['{', '[]', '1']) expect(textOf({ ...draftOf(NESTED), json })).toBeUndefined();
    expect(textOf({ ...draftOf(NESTED), json: ' ' })).toBeNull();
  });

  it('keeps the digits of numbers that are typed', () => {
    const rows = [{ path: 'data.amount', op: 'gte' as const, value: '12345678901234567890.10' }];
    const draft = { ...draftOf(null), rows };
    expect(textOf(draft)).toBe('{"path":"data.amount","op":"gte","value":12345678901234567890.10}');
    expect(asJsonDraft(draft).json).toContain('12345678901234567890.10');
  });

  it('is shown as JSON and as rows, unless it is not a list of conditions', () => {
    const draft = draftOf({ any: [AMOUNT, COUNTRY] });
    const asJson = asJsonDraft(draft);
    expect(JSON.parse(asJson.json)).toEqual({ any: [AMOUNT, COUNTRY] });
    expect(asRowsDraft(asJson)).toMatchObject({ isJson: false, join: draft.join, rows: draft.rows });
    expect(asRowsDraft(draftOf(NESTED))).toBeNull();
    expect(asRowsDraft({ ...asJson, json: '{' })).toBeNull();
  });

  it('says in which row the API finds a fault', () => {
    const [one, two] = [draftOf(AMOUNT), draftOf({ any: [AMOUNT, COUNTRY] })];
    const message = 'Must be a number or a string.';
    expect(faultOf(errorAt('filter.value'), one)).toEqual({ row: 0, message });
    expect(faultOf(errorAt('filter.any.1.value'), two)).toEqual({ row: 1, message });
    expect(faultOf(errorAt('filter'), two)).toEqual({ row: null, message });
    expect(faultOf(errorAt('filter.all.1.not.value'), draftOf(NESTED))).toEqual({
      row: null,
      message: 'All.1.not.value must be a number or a string.',
    });
    expect(faultOf(errorAt('eventTypes'), one)).toBeNull();
    expect(faultOf(new Error('no'), one)).toBeNull();
  });
});

it('the paths of an event are those of its members, and of the first element of a list', () => {
  expect(pathsOf({ amount: 1, lines: [{ sku: 'a' }, { other: 1 }], 'a.b': 1, customer: { country: 'DE' } })).toEqual([
    'type',
    'data.amount',
    'data.lines',
    'data.customer',
    'data.lines.0',
    'data.customer.country',
    'data.lines.0.sku',
  ]);
});
