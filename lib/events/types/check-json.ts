import { JsonValue } from '@/lib/events/json/json-value';
import type { FieldFault } from '@/lib/platform/errors';
import { assertSchema, type Fail } from './assert-schema';
import { type SchemaNode, shortName } from './json-schema';

/** The work of one check: a step is about a value and a schema, or some bytes of a text. */
const MAX_STEPS = 250_000;
/** The work of all checks of an import. */
export const MAX_STEPS_OF_IMPORT = 10 * MAX_STEPS;
const MAX_ERRORS = 20;
/** Steps between two moments at which others may have the thread. */
const SLICE_STEPS = 256;

/** Where a value is: in which one, and its name or place there. */
interface Place {
  above: Place | null;
  name: string | number;
}

/** What is checked. */
interface Spot {
  value: JsonValue;
  place: Place;
  /** Gets what differs; null to learn only whether something does. */
  errors: FieldFault[] | null;
  /** Gets the names of members and the places of elements that were evaluated, if somebody asks. */
  seen: Set<string | number> | null;
}

type Work<T> = Generator<undefined, T>;

class Exhausted extends Error {}
class Complete extends Error {}

/**
 * Says where a value differs from its schema, in at most 20 errors; none if it satisfies it. Yields often, so that the caller can leave
 * the thread to others. Beyond the bound of its work, the error says so.
 * @param name what errors call the value
 * @param budget what is left of the steps of several checks; it may become negative
 */
export function* checkJson(
  schema: SchemaNode,
  value: JsonValue,
  name: string,
  budget = { left: 0 },
): Work<FieldFault[]> {
  const errors: FieldFault[] = [];
  const check = new Check();
  try {
    yield* check.node(schema, { value, place: { above: null, name }, errors, seen: null });
  } catch (error) {
    const message = 'takes too much work to be checked; simplify the schema, or send less';
    if (error instanceof Exhausted) return [{ path: name, message }];
    if (!(error instanceof Complete)) throw error;
  } finally {
    budget.left -= check.steps;
  }
  return errors;
}

class Check {
  steps = 0;
  private nextYield = SLICE_STEPS;

  *node(node: SchemaNode, spot: Spot): Work<boolean> {
    this.count(2);
    if (this.isDue()) yield;
    const { seen, errors } = spot;
    const isAsked = seen !== null || 'unevaluatedProperties' in node.one || 'unevaluatedItems' in node.one;
    const own: Spot = { ...spot, seen: isAsked ? new Set() : null };
    let isValid = this.assert(node, spot);
    for (const work of this.partsOf(node, own)) {
      if (!isValid && errors === null) return false;
      isValid = (yield* work) && isValid;
    }
    if (isValid && seen !== null && own.seen !== null) {
      this.count(own.seen.size);
      for (const name of own.seen) seen.add(name);
      if (this.isDue()) yield;
    }
    return isValid;
  }

  /** The parts of a schema that have schemas, in the order in which they see what others evaluated. */
  private *partsOf(node: SchemaNode, spot: Spot): Generator<Work<boolean>> {
    const { one, lists, maps, ref } = node;
    if (ref !== undefined) yield this.node(ref, spot);
    for (const schema of lists.allOf ?? []) yield this.node(schema, spot);
    if (lists.anyOf !== undefined) yield this.anyOf(lists.anyOf, spot);
    if (lists.oneOf !== undefined) yield this.oneOf(lists.oneOf, spot);
    if (one.not !== undefined) yield this.not(one.not, spot);
    if (one.if !== undefined) yield this.condition(one.if, node, spot);
    if (spot.value.kind === 'object') {
      for (const [name, schema] of maps.dependentSchemas ?? []) {
        if (spot.value.entries.has(name)) yield this.node(schema, spot);
      }
      if (maps.properties !== undefined) yield this.properties(maps.properties, spot);
      if (one.propertyNames || one.additionalProperties || one.unevaluatedProperties) yield this.members(node, spot);
    }
    if (spot.value.kind === 'array') {
      if (node.uniqueItems === true) yield this.unique(spot);
      if (one.items || lists.prefixItems || one.contains || one.unevaluatedItems) yield this.elements(node, spot);
    }
  }

  private *anyOf(schemas: readonly SchemaNode[], spot: Spot): Work<boolean> {
    let isValid = false;
    for (const schema of schemas) {
      if (yield* this.node(schema, { ...spot, errors: null })) isValid = true;
      if (isValid && spot.seen === null) return true;
    }
    return isValid || this.fail(spot, 'must match at least one of the schemas of anyOf');
  }

  private *oneOf(schemas: readonly SchemaNode[], spot: Spot): Work<boolean> {
    let matches = 0;
    for (const schema of schemas) {
      if (yield* this.node(schema, { ...spot, errors: null })) matches += 1;
      if (matches > 1) return this.fail(spot, 'must match exactly one of the schemas of oneOf, and matches several');
    }
    return matches === 1 || this.fail(spot, 'must match exactly one of the schemas of oneOf, and matches none');
  }

  private *not(schema: SchemaNode, spot: Spot): Work<boolean> {
    const isMatch = yield* this.node(schema, { ...spot, errors: null, seen: null });
    return !isMatch || this.fail(spot, 'must not match the schema of not');
  }

  private *condition(schema: SchemaNode, { one }: SchemaNode, spot: Spot): Work<boolean> {
    const branch = (yield* this.node(schema, { ...spot, errors: null })) ? one.then : one.else;
    return branch === undefined || (yield* this.node(branch, spot));
  }

  private *properties(schemas: ReadonlyMap<string, SchemaNode>, spot: Spot): Work<boolean> {
    let isValid = true;
    for (const [name, schema] of schemas) {
      this.count(1);
      const value = spot.value.entries.get(name);
      if (value === undefined) continue;
      spot.seen?.add(name);
      isValid = (yield* this.below(schema, spot, value, name)) && isValid;
      if (!isValid && spot.errors === null) return false;
    }
    return isValid;
  }

  private *members({ one, maps }: SchemaNode, spot: Spot): Work<boolean> {
    let isValid = true;
    for (const [name, value] of spot.value.entries) {
      this.countBytes(name.length);
      if (one.propertyNames !== undefined) {
        const asValue = JsonValue.of(JSON.stringify(name));
        isValid = (yield* this.below(one.propertyNames, spot, asValue, name)) && isValid;
      }
      const isNamed = maps.properties?.has(name) === true;
      const schema = isNamed ? undefined : (one.additionalProperties ?? undefined);
      const rest = schema ?? (spot.seen?.has(name) === false ? one.unevaluatedProperties : undefined);
      if (rest !== undefined) {
        spot.seen?.add(name);
        isValid = (yield* this.below(rest, spot, value, name)) && isValid;
      } else if (this.isDue()) yield;
      if (!isValid && spot.errors === null) return false;
    }
    return isValid;
  }

  private *elements({ one, lists, sizes }: SchemaNode, spot: Spot): Work<boolean> {
    let isValid = true;
    let contained = 0;
    const { prefixItems = [] } = lists;
    const isPrefixOnly = !(one.items || one.contains || one.unevaluatedItems);
    const end = isPrefixOnly ? Math.min(prefixItems.length, spot.value.length) : spot.value.length;
    for (let index = 0; index < end; index += 1) {
      const value = spot.value.element(index) as JsonValue;
      if (one.contains !== undefined) {
        if (yield* this.below(one.contains, { ...spot, errors: null }, value, index)) {
          contained += 1;
          spot.seen?.add(index);
        }
      }
      const schema = prefixItems[index] ?? one.items;
      const rest = schema ?? (spot.seen?.has(index) === false ? one.unevaluatedItems : undefined);
      if (rest !== undefined) {
        spot.seen?.add(index);
        isValid = (yield* this.below(rest, spot, value, index)) && isValid;
      } else {
        this.count(1);
        if (this.isDue()) yield;
      }
      if (!isValid && spot.errors === null) return false;
    }
    if (one.contains === undefined) return isValid;
    const { minContains = 1, maxContains = Number.POSITIVE_INFINITY } = sizes;
    if (contained < minContains)
      return this.fail(spot, `must contain at least ${minContains} matching the schema of contains`);
    if (contained > maxContains)
      return this.fail(spot, `must contain at most ${maxContains} matching the schema of contains`);
    return isValid;
  }

  private *unique(spot: Spot): Work<boolean> {
    let isValid = true;
    const places = new Map<number, number>();
    for (let index = 0; index < spot.value.length; index += 1) {
      const value = spot.value.element(index) as JsonValue;
      this.countBytes(value.size);
      if (this.isDue()) yield;
      const place: Place = { above: spot.place, name: index };
      const { fingerprint } = value;
      if (Number.isNaN(fingerprint)) return this.fail({ ...spot, place }, 'is too large to be compared with others');
      const same = places.get(fingerprint);
      if (same === undefined) places.set(fingerprint, index);
      else isValid = this.fail({ ...spot, place }, `must differ from the element at ${same}`);
      if (!isValid && spot.errors === null) return false;
    }
    return isValid;
  }

  /** Checks a value in another one. */
  private *below(schema: SchemaNode, { place, errors }: Spot, value: JsonValue, name: string | number): Work<boolean> {
    const spot: Spot = { value, place: { above: place, name }, errors, seen: null };
    // Most schemas need no generator.
    if (!schema.isSimple) return yield* this.node(schema, spot);
    this.count(1);
    if (this.isDue()) yield;
    return this.assert(schema, spot);
  }

  private assert(node: SchemaNode, spot: Spot): boolean {
    const fail: Fail = (message, name) =>
      this.fail(name === undefined ? spot : { ...spot, place: { above: spot.place, name } }, message);
    return assertSchema(node, spot.value, fail, (bytes) => this.countBytes(bytes));
  }

  /** @returns false @throws Complete when there are enough errors */
  private fail({ errors, place }: Spot, message: string): false {
    errors?.push({ path: pathOf(place), message });
    if (errors !== null && errors.length >= MAX_ERRORS) throw new Complete();
    return false;
  }

  private countBytes(bytes: number): void {
    this.count(1 + bytes / BYTES_OF_STEP);
  }

  private count(steps: number): void {
    this.steps += steps;
    if (this.steps > MAX_STEPS) throw new Exhausted();
  }

  private isDue(): boolean {
    if (this.steps < this.nextYield) return false;
    this.nextYield = this.steps + SLICE_STEPS;
    return true;
  }
}

const BYTES_OF_STEP = 32;

/** Returns the path of a place, such as `data.items[0].sku`. */
function pathOf(place: Place): string {
  const parts: string[] = [];
  for (let each: Place | null = place; each !== null; each = each.above) parts.push(partOf(each));
  return parts.reverse().join('');
}

function partOf({ above, name }: Place): string {
  if (typeof name === 'number') return `[${name}]`;
  return above === null ? name : `.${shortName(name)}`;
}
