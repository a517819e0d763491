import { LRUCache } from 'lru-cache';
import { compareNumbers } from '@/lib/events/same-json';
import { OPERATORS, type Operator } from './filter-policy';
import { findTexts } from './find-texts';
import { JsonValue } from './json-value';

const MAX_BYTES = 4 * 1024;
const MAX_CONDITIONS = 50;
const MAX_LEVELS = 8;
const MAX_LIST = 100;
const MAX_MEMBERS = 8;

/** An event as filters read it. */
export interface FilteredEvent {
  type: JsonValue;
  data: JsonValue;
  /** Which texts were found in a string of the event, for filters that look for several. */
  found: Map<JsonValue, Map<Texts, ReadonlySet<string>>>;
}

/** @param data the text of its JSON */
export function toFilteredEvent(type: string, data: string): FilteredEvent {
  return { type: JsonValue.of(JSON.stringify(type)), data: JsonValue.of(data), found: new Map() };
}

/** A condition that keeps an event from matching. */
export interface Failed {
  path: string;
  op: Operator;
  /** JSON, as it was given. */
  value: string;
  /** JSON of the event, as it was sent; null where the path leads nowhere. */
  actual: string | null;
}

export interface Filter {
  matches(event: FilteredEvent): boolean;
  /** Lists the conditions that keep an event from matching; below `not`, those that are true. Empty if it matches. */
  explain(event: FilteredEvent): Failed[];
}

/** What is wrong with a filter, and where: `all.0.value`, or empty for the filter itself. */
export class FilterFault extends Error {
  constructor(
    readonly at: string,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Compiles a filter (docs/specification.md#filters). Numbers are those of the text: exact, also beyond the precision of a double.
 * @param json text that JSON.parse accepts
 * @throws FilterFault
 */
export function compileFilter(json: string): Filter {
  if (Buffer.byteLength(json) > MAX_BYTES) throw new FilterFault('', 'must be at most 4 KiB');
  const node = compile(JsonValue.of(json), { at: '', level: 1, shared: { left: MAX_CONDITIONS, texts: new Map() } });
  return {
    matches: (event) => node.test(event),
    explain: (event) => (node.test(event) ? [] : node.explain(event, true)),
  };
}

/** Up to 50 KiB each. */
const MAX_COMPILED = 500;
const compiled = new LRUCache<string, Filter>({ max: MAX_COMPILED });

/** Returns a filter that is compiled when it is used, and stays compiled while few others are used. @throws FilterFault */
export function keptFilter(json: string): Filter {
  const use = () => {
    const filter = compiled.get(json) ?? compileFilter(json);
    compiled.set(json, filter);
    return filter;
  };
  use();
  return { matches: (event) => use().matches(event), explain: (event) => use().explain(event) };
}

/** The texts that a filter looks for in one path. */
interface Texts {
  wanted: string[];
}

interface Place {
  at: string;
  level: number;
  shared: { left: number; texts: Map<string, Texts> };
}

interface Node {
  test(event: FilteredEvent): boolean;
  /** Lists the conditions that keep the node from what is wanted of it. */
  explain(event: FilteredEvent, wanted: boolean): Failed[];
}

function compile(value: JsonValue, place: Place): Node {
  const { at, level, shared } = place;
  if (level > MAX_LEVELS) throw new FilterFault(at, `must be at most ${MAX_LEVELS} levels deep`);
  shared.left -= 1;
  if (shared.left < 0) throw new FilterFault('', `must have at most ${MAX_CONDITIONS} conditions, groups included`);
  const names = value.kind === 'object' ? value.names : [];
  const [group] = names;
  if (group === undefined) throw new FilterFault(at, 'must be a condition, or all, any or not');
  const inner = value.member(group);
  if (names.length > 1 || inner === undefined || (group !== 'all' && group !== 'any' && group !== 'not')) {
    return compileCondition(value, names, place);
  }
  const compileInner = (child: JsonValue, name: string) =>
    compile(child, { at: join(at, name), level: level + 1, shared });
  if (group === 'not') {
    const node = compileInner(inner, 'not');
    return { test: (event) => !node.test(event), explain: (event, wanted) => node.explain(event, !wanted) };
  }
  const elements = inner.kind === 'array' ? inner.elements : [];
  if (elements.length === 0) throw new FilterFault(join(at, group), 'must be an array of at least one condition');
  const nodes = elements.map((child, index) => compileInner(child, `${group}.${index}`));
  return {
    test:
      group === 'all'
        ? (event) => nodes.every((node) => node.test(event))
        : (event) => nodes.some((node) => node.test(event)),
    explain: (event, wanted) =>
      nodes.filter((node) => node.test(event) !== wanted).flatMap((node) => node.explain(event, wanted)),
  };
}

function compileCondition(condition: JsonValue, names: readonly string[], { at, shared }: Place): Node {
  const unknown = names.find((name) => !['path', 'op', 'value'].includes(name));
  if (unknown !== undefined) throw new FilterFault(join(at, unknown), 'is not a member of a condition');
  const [path, op, value] = ['path', 'op', 'value'].map((name) => {
    const member = condition.member(name);
    if (member === undefined) throw new FilterFault(join(at, name), 'is required');
    return member;
  }) as [JsonValue, JsonValue, JsonValue];
  const read = compilePath(path, join(at, 'path'));
  const operator = op.kind === 'string' ? OPERATORS.find((name) => name === op.string) : undefined;
  if (operator === undefined) throw new FilterFault(join(at, 'op'), `must be one of ${OPERATORS.join(', ')}`);
  const { string } = path;
  const texts = shared.texts.get(string) ?? { wanted: [] };
  shared.texts.set(string, texts);
  const isTrue = compileOperator(operator, value, { at: join(at, 'value'), texts });
  const failed = { path: string, op: operator, value: value.text };
  return {
    test: (event) => isTrue(read(event), event),
    explain: (event, wanted) => {
      const actual = read(event);
      return isTrue(actual, event) === wanted ? [] : [{ ...failed, actual: actual?.text ?? null }];
    },
  };
}

/** Returns a reader of a path, which returns undefined where there is nothing. */
function compilePath(path: JsonValue, at: string): (event: FilteredEvent) => JsonValue | undefined {
  const fault = new FilterFault(at, 'must be type, or data. and at most 8 members separated by dots');
  if (path.kind !== 'string') throw fault;
  if (path.string === 'type') return ({ type }) => type;
  const [root, ...names] = path.string.split('.');
  if (root !== 'data' || names.length === 0 || names.length > MAX_MEMBERS || names.includes('')) throw fault;
  const steps = names.map((name) => ({ name, index: /^(?:0|[1-9]\d{0,8})$/.test(name) ? Number(name) : null }));
  return ({ data }) => {
    let value: JsonValue | undefined = data;
    for (const { name, index } of steps) {
      value = index !== null && value.kind === 'array' ? value.element(index) : value.member(name);
      if (value === undefined) return undefined;
    }
    return value;
  };
}

/** The test of a value, which is undefined where the path leads nowhere. */
type Test = (actual: JsonValue | undefined, event: FilteredEvent) => boolean;

function compileOperator(op: Operator, value: JsonValue, { at, texts }: { at: string; texts: Texts }): Test {
  switch (op) {
    case 'eq':
      return isOneOf([value]);
    case 'ne':
      return not(isOneOf([value]));
    case 'in':
    case 'nin': {
      const values = value.kind === 'array' ? value.elements : null;
      if (values === null || values.length > MAX_LIST) {
        throw new FilterFault(at, `must be an array of at most ${MAX_LIST} values`);
      }
      return op === 'in' ? isOneOf(values) : not(isOneOf(values));
    }
    case 'exists': {
      if (value.kind !== 'boolean') throw new FilterFault(at, 'must be true or false');
      const wanted = value.text === 'true';
      return (actual) => (actual !== undefined) === wanted;
    }
    case 'contains':
      return compileContains(value, texts);
    case 'startsWith':
    case 'endsWith': {
      if (value.kind !== 'string') throw new FilterFault(at, 'must be a string');
      const part = value.string;
      return op === 'startsWith'
        ? (actual) => actual?.kind === 'string' && actual.string.startsWith(part)
        : (actual) => actual?.kind === 'string' && actual.string.endsWith(part);
    }
    default:
      return compileOrder(op, value, at);
  }
}

const not =
  (test: Test): Test =>
  (actual, event) =>
    !test(actual, event);

function isOneOf(values: readonly JsonValue[]): Test {
  const kinds = new Set(values.map(({ kind }) => kind));
  const fingerprints = new Set(values.map(({ fingerprint }) => fingerprint));
  return (actual) => actual !== undefined && kinds.has(actual.kind) && fingerprints.has(actual.fingerprint);
}

function compileContains(value: JsonValue, texts: Texts): Test {
  const { fingerprint } = value;
  const part = value.kind === 'string' ? value.string : null;
  if (part !== null) texts.wanted.push(part);
  return (actual, event) => {
    if (actual?.kind === 'array') return actual.hasElement(fingerprint);
    return part !== null && actual?.kind === 'string' && textsIn(actual, texts, event).has(part);
  };
}

/** Returns which of the texts that a filter looks for in a path are in the string there. */
function textsIn(actual: JsonValue, texts: Texts, { found }: FilteredEvent): ReadonlySet<string> {
  const known = found.get(actual) ?? new Map<Texts, ReadonlySet<string>>();
  found.set(actual, known);
  const result = known.get(texts) ?? findTexts(actual.string, texts.wanted);
  known.set(texts, result);
  return result;
}

const ORDERS = {
  gt: (order: number) => order > 0,
  gte: (order: number) => order >= 0,
  lt: (order: number) => order < 0,
  lte: (order: number) => order <= 0,
} as const;

function compileOrder(op: keyof typeof ORDERS, value: JsonValue, at: string): Test {
  const fits = ORDERS[op];
  const { kind } = value;
  if (kind === 'number') {
    const { number } = value;
    return (actual) => actual?.kind === 'number' && fits(compareNumbers(actual.number, number));
  }
  if (kind === 'string') {
    const text = value.string;
    return (actual) => actual?.kind === 'string' && fits(compareByCodePoint(actual.string, text));
  }
  throw new FilterFault(at, 'must be a number or a string');
}

/** UTF-16 has the code points above U+FFFF below U+E000. */
function compareByCodePoint(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at += 1) {
    const [a, b] = [left.charCodeAt(at), right.charCodeAt(at)];
    if (a !== b) return orderOfUnit(a) - orderOfUnit(b);
  }
  return left.length - right.length;
}

const orderOfUnit = (unit: number) => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800);

const join = (at: string, name: string) => (at === '' ? name : `${at}.${name}`);
