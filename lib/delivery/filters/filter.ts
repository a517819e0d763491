import { LRUCache } from 'lru-cache';
import { FingerprintMap } from '@/lib/events/json/fingerprint-map';
import { fingerprintOf, JsonValue } from '@/lib/events/json/json-value';
import { compareNumbers } from '@/lib/events/same-json';
import { MAX_CONDITIONS, OPERATORS, type Operator } from './filter-policy';
import { findTexts } from './find-texts';

const MAX_BYTES = 4 * 1024;
const MAX_LEVELS = 8;
const MAX_LIST = 100;
const MAX_MEMBERS = 8;

/** An event as filters read it. */
export interface FilteredEvent {
  type: JsonValue;
  data: JsonValue;
  /** What was found in the strings and arrays of the event, for filters that look for several things. */
  found: Map<JsonValue, Map<Wanted, Found>>;
}

/** @param data its JSON, or the UTF-8 of it */
export function toFilteredEvent(type: string, data: string | Buffer): FilteredEvent {
  return { type: JsonValue.of(JSON.stringify(type)), data: JsonValue.of(data), found: new Map() };
}

/** A condition that keeps an event from matching. */
export interface Failed {
  path: string;
  op: Operator;
  /** JSON, as it was given. */
  value: string;
  /** The value in the event; null if there is none at the path. Show only its start: it may be large, and many conditions may read it. */
  actual: JsonValue | null;
  /** Whether it had to be false: it is below `not`. */
  isNegated: boolean;
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
 * @param isStored lets values be too deep to be compared, and equal to none: earlier versions stored them
 * @throws FilterFault
 */
export function compileFilter(json: string, isStored = false): Filter {
  if (Buffer.byteLength(json) > MAX_BYTES) throw new FilterFault('', 'must be at most 4 KiB');
  const shared = { isStored, left: MAX_CONDITIONS, wanted: new Map() };
  const node = compile(JsonValue.of(json), { at: '', level: 1, shared });
  return {
    matches: (event) => node.test(event),
    explain: (event) => (node.test(event) ? [] : node.explain(event, true)),
  };
}

/** Up to 50 KiB each. */
const MAX_COMPILED = 500;
const compiled = new LRUCache<string, Filter>({ max: MAX_COMPILED });

/**
 * Returns a stored filter that is compiled when it is used, and stays compiled while few others are used. Not before: claims for all owners
 * prepare targets whose filters they do not use. Its methods throw FilterFault.
 */
export function keptFilter(json: string): Filter {
  const use = () => {
    const filter = compiled.get(json) ?? compileFilter(json, true);
    compiled.set(json, filter);
    return filter;
  };
  return { matches: (event) => use().matches(event), explain: (event) => use().explain(event) };
}

/** What a filter looks for in one path: in a string, and by fingerprints in an array. */
interface Wanted {
  texts: string[];
  elements: FingerprintMap;
}

type Found = ReadonlySet<string | number>;

interface Place {
  at: string;
  level: number;
  shared: { isStored: boolean; left: number; wanted: Map<string, Wanted> };
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

const MEMBERS = ['path', 'op', 'value'].map((name) => ({ name, fingerprint: fingerprintOf(name) }));

function compileCondition(condition: JsonValue, names: readonly string[], { at, shared }: Place): Node {
  const unknown = names.find((name) => !MEMBERS.some((member) => member.name === name));
  if (unknown !== undefined) throw new FilterFault(join(at, unknown), 'is not a member of a condition');
  const [path, op, value] = MEMBERS.map(({ name, fingerprint }) => {
    const member = condition.memberOf(fingerprint);
    if (member === undefined) throw new FilterFault(join(at, name), 'is required');
    return member;
  }) as [JsonValue, JsonValue, JsonValue];
  const read = compilePath(path, join(at, 'path'));
  const operator = op.kind === 'string' ? OPERATORS.find((name) => name === op.string) : undefined;
  if (operator === undefined) throw new FilterFault(join(at, 'op'), `must be one of ${OPERATORS.join(', ')}`);
  const { string } = path;
  const wanted = shared.wanted.get(string) ?? { texts: [], elements: new FingerprintMap() };
  shared.wanted.set(string, wanted);
  const isTrue = compileOperator(operator, value, { at: join(at, 'value'), wanted, isStored: shared.isStored });
  const failed = { path: string, op: operator, value: value.text };
  return {
    test: (event) => isTrue(read(event), event),
    explain: (event, wanted) => {
      const actual = read(event);
      if (isTrue(actual, event) === wanted) return [];
      return [{ ...failed, isNegated: !wanted, actual: actual ?? null }];
    },
  };
}

/** Returns a reader of a path, which returns undefined where there is nothing. */
function compilePath(path: JsonValue, at: string): (event: FilteredEvent) => JsonValue | undefined {
  const name = path.kind === 'string' ? path.string : '';
  if (name === 'type') return ({ type }) => type;
  const [root, ...names] = name.split('.');
  if (root !== 'data' || names.length === 0 || names.length > MAX_MEMBERS || names.includes('')) {
    const isWithoutRoot = root !== 'data' && /^[^.]+(\.[^.]+)*$/.test(name) && names.length < MAX_MEMBERS;
    const rule = 'must be type, or data. and at most 8 members separated by dots';
    throw new FilterFault(at, isWithoutRoot ? `${rule}, such as data.${name}` : rule);
  }
  const steps = names.map((name) => ({
    name: fingerprintOf(name),
    index: /^(?:0|[1-9]\d{0,8})$/.test(name) ? Number(name) : null,
  }));
  return ({ data }) => {
    let value: JsonValue | undefined = data;
    for (const { name, index } of steps) {
      value = index !== null && value.kind === 'array' ? value.element(index) : value.memberOf(name);
      if (value === undefined) return undefined;
    }
    return value;
  };
}

/** The test of a value, which is undefined where the path leads nowhere. */
type Test = (actual: JsonValue | undefined, event: FilteredEvent) => boolean;

interface Operand {
  at: string;
  wanted: Wanted;
  isStored: boolean;
}

function compileOperator(op: Operator, value: JsonValue, operand: Operand): Test {
  const { at } = operand;
  switch (op) {
    case 'eq':
      return isOneOf([value], operand);
    case 'ne':
      return not(isOneOf([value], operand));
    case 'in':
    case 'nin': {
      const values = value.kind === 'array' ? value.elements : null;
      if (values === null || values.length > MAX_LIST) {
        throw new FilterFault(at, `must be an array of at most ${MAX_LIST} values`);
      }
      return op === 'in' ? isOneOf(values, operand) : not(isOneOf(values, operand));
    }
    case 'exists': {
      if (value.kind !== 'boolean') throw new FilterFault(at, 'must be true or false');
      const isWanted = value.text === 'true';
      return (actual) => (actual !== undefined) === isWanted;
    }
    case 'contains':
      return compileContains(value, operand);
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

/** Lists the fingerprints of values. A value that is too deep has none: it equals no other, but a Set finds NaN. */
function fingerprintsOf(values: readonly JsonValue[], { at, isStored }: Operand): number[] {
  const fingerprints = values.map(({ fingerprint }) => fingerprint).filter((fingerprint) => !Number.isNaN(fingerprint));
  if (fingerprints.length < values.length && !isStored) {
    throw new FilterFault(at, 'has a value that is too large to be compared');
  }
  return fingerprints;
}

function isOneOf(values: readonly JsonValue[], operand: Operand): Test {
  const kinds = new Set(values.map(({ kind }) => kind));
  const fingerprints = new Set(fingerprintsOf(values, operand));
  return (actual) => actual !== undefined && kinds.has(actual.kind) && fingerprints.has(actual.fingerprint);
}

function compileContains(value: JsonValue, operand: Operand): Test {
  const { wanted } = operand;
  const [fingerprint] = fingerprintsOf([value], operand);
  if (fingerprint === undefined) return () => false;
  const part = value.kind === 'string' ? value.string : null;
  wanted.elements.set(fingerprint, 0);
  if (part !== null) wanted.texts.push(part);
  return (actual, event) => {
    if (actual?.kind === 'array') return findIn(actual, wanted, event).has(fingerprint);
    return part !== null && actual?.kind === 'string' && findIn(actual, wanted, event).has(part);
  };
}

/** Returns what is in a string or an array of that which a filter looks for there. */
function findIn(actual: JsonValue, wanted: Wanted, { found }: FilteredEvent): Found {
  const known = found.get(actual) ?? new Map<Wanted, Found>();
  found.set(actual, known);
  const { texts, elements } = wanted;
  const result =
    known.get(wanted) ?? (actual.kind === 'array' ? actual.elementsAmong(elements) : findTexts(actual.string, texts));
  known.set(wanted, result);
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

function compareByCodePoint(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at += 1) {
    if (left.charCodeAt(at) !== right.charCodeAt(at)) {
      // Code points of two units may differ in the second one alone.
      return codePointsApart(left, right, at - 1) || codePointsApart(left, right, at);
    }
  }
  return left.length - right.length;
}

const codePointsApart = (left: string, right: string, at: number) =>
  (left.codePointAt(at) ?? 0) - (right.codePointAt(at) ?? 0);

const join = (at: string, name: string) => (at === '' ? name : `${at}.${name}`);
