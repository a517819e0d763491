/** How many conditions a filter may have, groups included. */
export const MAX_CONDITIONS = 50;

/** How a condition of a filter compares what an event has with its value. */
export const OPERATORS = [
  'eq',
  'ne',
  'in',
  'nin',
  'gt',
  'gte',
  'lt',
  'lte',
  'startsWith',
  'endsWith',
  'contains',
  'exists',
] as const;
export type Operator = (typeof OPERATORS)[number];

/** An operator as people choose it: `exists` with false is one of its own. */
export type RowOperator = Operator | 'absent';

export const OPERATOR_WORDS: Record<RowOperator, string> = {
  eq: 'is',
  ne: 'is not',
  in: 'is one of',
  nin: 'is none of',
  gt: 'is greater than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  startsWith: 'starts with',
  endsWith: 'ends with',
  contains: 'contains',
  exists: 'exists',
  absent: 'does not exist',
};

/** Whether an operator compares with a value. */
export const takesValue = (op: RowOperator) => op !== 'exists' && op !== 'absent';

/** A condition as people edit it. */
export interface FilterRow {
  path: string;
  op: RowOperator;
  /** JSON, or words that are taken as strings; a list is separated by commas. Unused without a value. */
  value: string;
}

/** A filter that is a list of conditions. */
export interface FilterRows {
  join: 'all' | 'any';
  rows: FilterRow[];
}

/** A filter as `JSON.parse` reads it, with objects that JSON.stringify writes as numbers where a number would lose digits. */
type Parsed = Record<string, unknown>;

const isObject = (value: unknown): value is Parsed => typeof value === 'object' && value !== null;

/** Returns the group that a filter is, with what is in it; null for a condition. */
function groupOf(filter: Parsed): { name: string; inner: unknown[] } | null {
  const [name = ''] = Object.keys(filter);
  const inner = filter[name];
  if ((name === 'all' || name === 'any') && Array.isArray(inner)) return { name, inner };
  return name === 'not' && isObject(inner) ? { name, inner: [inner] } : null;
}

function conditionOf(filter: unknown): FilterRow | null {
  if (!isObject(filter)) return null;
  const { path, op, value } = filter;
  const operator = OPERATORS.find((name) => name === op);
  if (typeof path !== 'string' || operator === undefined || value === undefined) return null;
  if (operator === 'exists') return { path, op: value === false ? 'absent' : 'exists', value: '' };
  return { path, op: operator, value: typedOf(operator, value) };
}

/** Returns the conditions of a filter as rows; null if it is not a list of them. @param filter null for none: a list without rows */
export function rowsOf(filter: unknown): FilterRows | null {
  if (filter === null) return { join: 'all', rows: [] };
  const group = isObject(filter) ? groupOf(filter) : null;
  if (group?.name === 'not') return null;
  const rows = (group?.inner ?? [filter]).map(conditionOf);
  return rows.includes(null) ? null : { join: group?.name === 'any' ? 'any' : 'all', rows: rows as FilterRow[] };
}

/** Returns the JSON of a filter; null for none. @throws Error when a row has no value */
export function filterTextOf({ join, rows }: FilterRows): string | null {
  const conditions = rows.map((row) => {
    const value = jsonOf(row);
    if (value === null) throw new Error('a row without a value');
    const op = row.op === 'absent' ? 'exists' : row.op;
    return `{"path":${JSON.stringify(row.path.trim())},"op":"${op}","value":${value}}`;
  });
  if (conditions.length < 2) return conditions[0] ?? null;
  return `{"${join}":[${conditions.join(',')}]}`;
}

/** Returns the JSON of the value that was typed in a row: its numbers stay as they are. Null for none, or for broken JSON. */
export function jsonOf({ op, value }: FilterRow): string | null {
  const text = value.trim();
  switch (op) {
    case 'exists':
      return 'true';
    case 'absent':
      return 'false';
    case 'in':
    case 'nin': {
      if (text.startsWith('[')) return isJson(text) ? text : null;
      const values = (text.match(LISTED) ?? []).map((each) => scalarOf(each.trim()));
      return values.length === 0 || values.includes(null) ? null : `[${values.join(',')}]`;
    }
    case 'startsWith':
    case 'endsWith':
      return text === '' || text.startsWith('"') ? scalarOf(text) : JSON.stringify(text);
    default:
      return scalarOf(text);
  }
}

/** A string in JSON, or a text, up to the next comma. */
const LISTED = /\s*"(?:[^"\\]|\\.)*"\s*(?=,|$)|[^,]+/g;

function scalarOf(text: string): string | null {
  if (isJson(text)) return text;
  return text === '' || /^["[{]/.test(text) ? null : JSON.stringify(text);
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns what a person types for a value: words where they are taken as the same strings, else JSON. */
function typedOf(op: RowOperator, value: unknown): string {
  const json = JSON.stringify(value);
  const words = Array.isArray(value) && (op === 'in' || op === 'nin') ? value.map(wordOf).join(', ') : wordOf(value);
  return jsonOf({ path: '', op, value: words }) === json ? words : json;
}

const wordOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/**
 * Describes a filter: "data.amount is at least 1000 and data.customer.country is one of DE, AT". Groups within others are in
 * parentheses.
 * @param filter as the API shows it
 */
export function describeFilter(filter: unknown): string {
  return describe(filter, false);
}

function describe(filter: unknown, isInner: boolean): string {
  if (!isObject(filter)) return '';
  const group = groupOf(filter);
  if (group === null) return describeCondition(filter);
  const { name, inner } = group;
  if (name === 'not') return `not (${describe(inner[0], false)})`;
  const text = inner.map((each) => describe(each, inner.length > 1)).join(name === 'all' ? ' and ' : ' or ');
  return isInner && inner.length > 1 ? `(${text})` : text;
}

function describeCondition({ path, op, value }: Parsed): string {
  if (op === 'exists') return `${path} ${OPERATOR_WORDS[value === false ? 'absent' : 'exists']}`;
  const isList = Array.isArray(value) && value.length > 0 && (op === 'in' || op === 'nin');
  const shown = isList ? value.map(inWords).join(', ') : inWords(value);
  return `${path} ${OPERATOR_WORDS[op as Operator] ?? op} ${shown}`;
}

/** What a condition that keeps an event from matching reads, and what the event has there. */
interface Reason {
  path: string;
  actual: unknown;
}

const MAX_REASONS = 3;

/** Says why an event does not match: "data.amount is 42; data.country is null or missing; 2 more". */
export function describeReasons(failed: readonly Reason[]): string {
  const reasons = [...new Set(failed.map(describeReason))];
  const more = reasons.length - MAX_REASONS;
  return [...reasons.slice(0, MAX_REASONS), ...(more > 0 ? [`${more} more`] : [])].join('; ');
}

/** A condition that keeps an event from matching, with JSON. */
interface Misfit {
  path: string;
  op: Operator;
  value: string;
  actual: string | null;
  isNegated: boolean;
}

/** Says what an event has, and what a filter wants instead: "data.amount is 42, and it wants data.amount is at least 1000; 2 more". */
export function describeMisfits(failed: readonly Misfit[]): string {
  const more = failed.length - MAX_REASONS;
  const named = failed.slice(0, MAX_REASONS).map(describeMisfit);
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join('; ');
}

function describeMisfit({ path, op, value, actual, isNegated }: Misfit): string {
  const has = actual === null ? `${path} is missing` : `${path} is ${shorten(actual)}`;
  const condition =
    op === 'exists'
      ? `${path} ${OPERATOR_WORDS[value === 'false' ? 'absent' : 'exists']}`
      : `${path} ${OPERATOR_WORDS[op]} ${shorten(value)}`;
  return `${has}, and it wants ${isNegated ? `not (${condition})` : condition}`;
}

const shorten = (text: string) => (text.length > MAX_ACTUAL_CHARS ? `${text.slice(0, MAX_ACTUAL_CHARS)}…` : text);

function describeReason({ path, actual }: Reason): string {
  if (actual === null || actual === undefined) return `${path} is null or missing`;
  const text = inWords(actual);
  return `${path} is ${shorten(text)}`;
}

const MAX_ACTUAL_CHARS = 120;

/** A text that looks like a number or a list has quotes. */
function inWords(value: unknown): string {
  const isWord = typeof value === 'string' && /^[\p{L}_][\p{L}\p{N}_.:/@-]*$/u.test(value) && !isJson(value);
  return isWord ? value : JSON.stringify(value);
}
