import { MAX_NEW_EVENT_TYPES } from '@/lib/delivery/endpoint-fields-policy';
import { MAX_CONDITIONS } from '@/lib/delivery/filters/filter-policy';
import { splitPattern, TYPE_PATTERN } from '@/lib/events/type-pattern-policy';
import type { Notes } from './plan';
import { listOf, quoted, recordOf, type Values } from './values';

type Condition = Record<string, unknown>;

/** What a subscription of Convoy matches: an event type, and a filter of its own. */
export interface ConvoyRule {
  eventType: string;
  /** Its filters on the body, headers, query and path. */
  filter: Values | null;
}

/** What an endpoint receives here. */
export interface Matching {
  eventTypes: string[];
  filter: Condition | null;
}

const OPERATORS: Readonly<Record<string, string>> = {
  $eq: 'eq',
  $neq: 'ne',
  $gt: 'gt',
  $gte: 'gte',
  $lt: 'lt',
  $lte: 'lte',
  $in: 'in',
  $nin: 'nin',
  $exist: 'exists',
};

/** Deeper than any filter here; what is nested without end would take all of the stack. */
const MAX_DEPTH = 16;

/** A filter that has no equal here. */
class Untranslatable extends Error {}

/** Event types with equal filters. */
interface FilteredTypes {
  types: Set<string>;
  filter: Condition | null;
}

/**
 * Returns what an endpoint receives so that it gets what the rules match. A rule that cannot be expressed is left out, with a note:
 * without its filter, the endpoint would get more than it should. Null, with a note, for more than an endpoint can have.
 */
export function matchingOf(rules: readonly ConvoyRule[], notes: Notes): Matching | null {
  const groups = groupsOf(rules, notes);
  const types = [...new Set(groups.flatMap((group) => [...group.types]))];
  const eventTypes = types.includes('*') ? ['*'] : types;
  if (eventTypes.length > MAX_NEW_EVENT_TYPES) {
    notes.lose(`it has more than ${MAX_NEW_EVENT_TYPES.toLocaleString('en-US')} event types`);
    return null;
  }
  const filter = filterOf(groups);
  if (filter !== null && groups.length > MAX_CONDITIONS) {
    notes.lose(`its subscriptions have more than ${MAX_CONDITIONS} different filters`);
    return null;
  }
  if (groups.some((group) => hasEquality(group.filter))) {
    notes.warn(
      'its filter compares whole values: Convoy also finds a value in an array, where the operator is contains here',
    );
  }
  return { eventTypes, filter };
}

/** Translates each filter once, and joins the types of equal ones, since a filter has few conditions. */
function groupsOf(rules: readonly ConvoyRule[], notes: Notes): FilteredTypes[] {
  const given = new Map<Values | null, Set<string>>();
  for (const { eventType, filter } of rules) {
    if (isType(eventType)) given.set(filter, (given.get(filter) ?? new Set()).add(eventType));
    else notes.lose(`the event type ${quoted(eventType)} is left out: it cannot be one here`);
  }
  const groups = new Map<string, FilteredTypes>();
  for (const [theirs, types] of given) {
    try {
      const filter = translate(theirs);
      const key = JSON.stringify(filter);
      const group = groups.get(key) ?? { types: new Set(), filter };
      groups.set(key, group);
      for (const type of types) group.types.add(type);
    } catch (error) {
      if (!(error instanceof Untranslatable)) throw error;
      for (const type of types) notes.lose(`events of type ${quoted(type)} are left out: ${error.message}`);
    }
  }
  return [...groups.values()];
}

function hasEquality(filter: Condition | null): boolean {
  if (filter === null) return false;
  const inner = listOf(filter.all) ?? listOf(filter.any);
  return inner === null ? filter.op === 'eq' : inner.some((each) => hasEquality(each as Condition));
}

function filterOf(groups: readonly FilteredTypes[]): Condition | null {
  // What the subscriptions match needs no condition.
  if (groups.length <= 1) return groups[0]?.filter ?? null;
  const parts = groups.map(({ types, filter }) => and([...ofTypes([...types]), ...(filter === null ? [] : [filter])]));
  // All types without a filter let everything in.
  return parts.includes(null) ? null : { any: parts };
}

const isType = (type: string) => type === '*' || (TYPE_PATTERN.test(type) && splitPattern(type).exact !== null);

function ofTypes(types: readonly string[]): Condition[] {
  if (types.includes('*')) return [];
  return [types.length === 1 ? { path: 'type', op: 'eq', value: types[0] } : { path: 'type', op: 'in', value: types }];
}

function and(conditions: Condition[]): Condition | null {
  return conditions.length < 2 ? (conditions[0] ?? null) : { all: conditions };
}

function translate(filter: Values | null): Condition | null {
  for (const scope of ['headers', 'query', 'path']) {
    const given = filter?.[scope] ?? {};
    if (recordOf(given) === null || Object.keys(given).length > 0) {
      throw new Untranslatable(`a filter on ${scope} has no equal here`);
    }
  }
  const body = filter?.body;
  if (body === undefined || body === null) return null;
  if (recordOf(body) === null) throw new Untranslatable('its filter is not an object');
  return and(conditionsOf(body as Values, [], 0, { left: MAX_CONDITIONS }));
}

/** How many more conditions a filter may have. */
interface Shared {
  left: number;
}

function conditionsOf(filter: Values, path: readonly string[], depth: number, shared: Shared): Condition[] {
  if (depth > MAX_DEPTH) throw new Untranslatable('its filter is too deep');
  return Object.entries(filter).map(([name, value]) => {
    if (name === '$or' || name === '$and') return groupOf(name, value, path, depth, shared);
    if (name.startsWith('$') && !name.startsWith('$.')) return conditionOf(path, name, value, shared);
    const inner = [...path, ...name.split('.')];
    if (inner.includes('$')) throw new Untranslatable('a filter on any element of an array has no equal here');
    if (recordOf(value) === null) return conditionOf(inner, '$eq', value, shared);
    const conditions = and(conditionsOf(value as Values, inner, depth + 1, shared));
    if (conditions === null) throw new Untranslatable('a part of its filter is empty');
    return conditions;
  });
}

function groupOf(
  name: '$or' | '$and',
  value: unknown,
  path: readonly string[],
  depth: number,
  shared: Shared,
): Condition {
  const inner = (listOf(value) ?? []).map((each) => and(conditionsOf(recordOf(each) ?? {}, path, depth + 1, shared)));
  if (inner.length === 0 || inner.includes(null)) throw new Untranslatable(`${name} of its filter is empty`);
  return { [name === '$or' ? 'any' : 'all']: inner };
}

function conditionOf(path: readonly string[], operator: string, value: unknown, shared: Shared): Condition {
  shared.left -= 1;
  if (shared.left < 0) throw new Untranslatable(`its filter has more than ${MAX_CONDITIONS} conditions`);
  const op = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined;
  if (op === undefined) throw new Untranslatable(`the operator ${quoted(operator)} has no equal here`);
  if (path.length === 0 || path.length > 8 || path.includes('')) throw new Untranslatable('a path has no equal here');
  const values = operator === '$in' || operator === '$nin' ? listOf(value) : [value];
  if (values === null || !values.every(isScalar)) throw new Untranslatable('a value of its filter has no equal here');
  if (values.some(isRounded)) throw new Untranslatable('a number of its filter is too large to be read exactly');
  return { path: ['data', ...path].join('.'), op, value };
}

const isScalar = (value: unknown) => value === null || ['string', 'number', 'boolean'].includes(typeof value);

const isRounded = (value: unknown) =>
  typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
