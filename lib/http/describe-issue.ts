import type * as z from 'zod';

type Issue = z.core.$ZodRawIssue;

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  null: 'null',
};

const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'must be a time such as 2026-01-31T09:30:00Z',
  uuid: 'must be an id',
  guid: 'must be an id',
  url: 'must be a URL',
  email: 'must be an email address',
};

const UNITS: Readonly<Record<string, [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
  set: ['entry', 'entries'],
};

/** Words a validation error whose schema has no message: the same on every route, and never the validator's own text. */
export function describeIssue(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${TYPES[issue.expected] ?? 'of another type'}`;
    case 'too_small':
      return bound('at least', issue.origin, issue.minimum);
    case 'too_big':
      return bound('at most', issue.origin, issue.maximum);
    case 'invalid_value':
      return issue.input === undefined ? 'is required' : `must be ${listOf(issue.values)}`;
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'has an invalid format';
    case 'invalid_key':
      return issue.issues[0]?.message ?? 'is not valid';
    default:
      return 'is not valid';
  }
}

function bound(side: 'at least' | 'at most', origin: string, limit: number | bigint): string {
  const units = UNITS[origin];
  const amount = limit.toLocaleString('en-US');
  return units === undefined
    ? `must be ${side} ${amount}`
    : `must have ${side} ${amount} ${units[Number(limit) === 1 ? 0 : 1]}`;
}

function listOf(values: readonly unknown[]): string {
  const shown = values.map(String);
  return shown.length === 1 ? (shown[0] ?? '') : `one of ${shown.join(', ')}`;
}
