import { type JsonKind, JsonValue } from '@/lib/events/json/json-value';
import type { ExactNumber } from '@/lib/events/same-json';

export const MAX_NODES = 500;
export const MAX_DEPTH = 16;
const MAX_ENUM_VALUES = 1_000;
/** The digits of `multipleOf`. */
const MAX_FACTOR_CHARS = 30;

export type SchemaType = JsonKind | 'integer';
const TYPES: readonly string[] = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

/** A number of a schema, with the text that it was given as. */
interface Bound {
  number: ExactNumber;
  text: string;
}

/** Values by their fingerprints, with the texts that they were given as. */
interface Values {
  fingerprints: ReadonlySet<number>;
  texts: readonly string[];
}

/** A schema, as the interpreter reads it (check-json.ts). */
export interface SchemaNode {
  /** Where it is, as errors name it. */
  at: string;
  /** `true` or `false` in place of an object. */
  always?: boolean;
  type?: readonly SchemaType[];
  enum?: Values;
  const?: Values;
  bounds: Partial<Record<(typeof BOUNDS)[number], Bound>>;
  multipleOf?: Bound;
  sizes: Partial<Record<(typeof SIZES)[number], number>>;
  uniqueItems?: boolean;
  required: readonly string[];
  dependentRequired?: ReadonlyMap<string, readonly string[]>;
  one: Partial<Record<(typeof ONE)[number], SchemaNode>>;
  lists: Partial<Record<(typeof LISTS)[number], readonly SchemaNode[]>>;
  maps: Partial<Record<(typeof MAPS)[number], ReadonlyMap<string, SchemaNode>>>;
  ref?: SchemaNode;
}

const BOUNDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'] as const;
const SIZES = [
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'minContains',
  'maxContains',
] as const;
export const ONE = [
  'items',
  'contains',
  'additionalProperties',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'unevaluatedProperties',
  'unevaluatedItems',
] as const;
export const LISTS = ['prefixItems', 'allOf', 'anyOf', 'oneOf'] as const;
export const MAPS = ['properties', 'dependentSchemas', '$defs', 'definitions'] as const;

/** What says something to people and checks nothing. `format` does so by default in JSON Schema 2020-12. */
const ANNOTATIONS: readonly string[] = [
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'format',
  'contentEncoding',
  'contentMediaType',
  '$comment',
  'example',
  'externalDocs',
  'discriminator',
  'xml',
];
const DIALECTS =
  /^https:\/\/(json-schema\.org\/draft\/2020-12\/schema#?|spec\.openapis\.org\/oas\/3\.1\/dialect\/base)$/;

/** What is wrong with a schema, and where: `properties.amount.pattern`, or empty for the schema itself. */
export class SchemaFault extends Error {
  constructor(
    readonly at: string,
    message: string,
  ) {
    super(message);
  }
}

const isOneOf = <Name extends string>(names: readonly Name[], name: string): name is Name =>
  (names as readonly string[]).includes(name);
const join = (at: string, name: string | number) => (at === '' ? `${name}` : `${at}.${name}`);

/**
 * Reads a schema (docs/specification.md#event-types). Its work is bounded, and what it cannot check is refused.
 * @param json text that JSON.parse accepts
 * @throws SchemaFault
 */
export function readSchema(json: string): SchemaNode {
  const reader = new SchemaReader();
  const root = reader.read(JsonValue.of(json), [], 1);
  reader.resolve();
  return root;
}

class SchemaReader {
  private readonly nodes = new Map<string, SchemaNode>();
  private readonly refs: { node: SchemaNode; pointer: string }[] = [];
  private enumValues = 0;

  /** @param path the names and places that lead to the schema */
  read(value: JsonValue, path: readonly string[], depth: number): SchemaNode {
    const at = path.join('.');
    if (depth > MAX_DEPTH) throw new SchemaFault(at, `must be at most ${MAX_DEPTH} schemas deep`);
    if (this.nodes.size >= MAX_NODES) throw new SchemaFault('', `must have at most ${MAX_NODES} subschemas`);
    const node: SchemaNode = { at, bounds: {}, sizes: {}, required: [], one: {}, lists: {}, maps: {} };
    this.nodes.set(keyOf(path), node);
    if (value.kind === 'boolean') return Object.assign(node, { always: value.text === 'true' });
    if (value.kind !== 'object') throw new SchemaFault(at, 'must be a schema: an object, true or false');
    for (const [name, member] of value.entries) this.readKeyword(node, name, member, path, depth);
    return node;
  }

  private readKeyword(node: SchemaNode, name: string, value: JsonValue, path: readonly string[], depth: number): void {
    const at = join(node.at, name);
    const readBelow = (child: JsonValue, ...below: string[]) => this.read(child, [...path, ...below], depth + 1);
    if (isOneOf(BOUNDS, name)) node.bounds[name] = boundOf(value, at);
    else if (isOneOf(SIZES, name)) node.sizes[name] = sizeOf(value, at);
    else if (isOneOf(ONE, name)) node.one[name] = readBelow(value, name);
    else if (isOneOf(LISTS, name)) {
      const schemas = elementsOf(value, at, 'must be an array of schemas');
      if (schemas.length === 0) throw new SchemaFault(at, 'must have at least one schema');
      node.lists[name] = schemas.map((schema, index) => readBelow(schema, name, `${index}`));
    } else if (isOneOf(MAPS, name)) {
      const schemas = entriesOf(value, at, 'must be an object of schemas');
      node.maps[name] = new Map([...schemas].map(([key, schema]) => [key, readBelow(schema, name, key)]));
    } else this.readOther(node, name, value, at);
  }

  private readOther(node: SchemaNode, name: string, value: JsonValue, at: string): void {
    switch (name) {
      case 'type':
        node.type = typesOf(value, at);
        return;
      case 'enum':
        node.enum = this.valuesOf(elementsOf(value, at, 'must be an array of values'), at);
        return;
      case 'const':
        node.const = this.valuesOf([value], at);
        return;
      case 'multipleOf':
        node.multipleOf = factorOf(value, at);
        return;
      case 'uniqueItems':
        if (value.kind !== 'boolean') throw new SchemaFault(at, 'must be true or false');
        node.uniqueItems = value.text === 'true';
        return;
      case 'required':
        node.required = namesOf(value, at);
        return;
      case 'dependentRequired': {
        const lists = [...entriesOf(value, at, 'must be an object of arrays')];
        node.dependentRequired = new Map(lists.map(([key, list]) => [key, namesOf(list, join(at, key))]));
        return;
      }
      case '$ref':
        this.refs.push({ node, pointer: stringOf(value, at) });
        return;
      default:
        refuseUnsupported(node, name, value, at);
    }
  }

  private valuesOf(values: readonly JsonValue[], at: string): Values {
    if (values.length === 0) throw new SchemaFault(at, 'must have at least one value');
    this.enumValues += values.length;
    if (this.enumValues > MAX_ENUM_VALUES) {
      throw new SchemaFault(at, `the schema must have at most ${MAX_ENUM_VALUES} values of enum and const in all`);
    }
    const fingerprints = new Set(values.map(({ fingerprint }) => fingerprint));
    if (fingerprints.has(Number.NaN)) throw new SchemaFault(at, 'has a value that is too large to be compared');
    return { fingerprints, texts: values.map(({ text }) => text) };
  }

  /** Connects the references with what they refer to, and refuses what would not end or is too deep. */
  resolve(): void {
    for (const { node, pointer } of this.refs) {
      const at = join(node.at, '$ref');
      if (!pointer.startsWith('#')) throw new SchemaFault(at, 'must refer to this schema itself, as in #/$defs/name');
      const target = this.nodes.get(keyOf(partsOf(pointer, at)));
      if (target === undefined) throw new SchemaFault(at, 'does not refer to a schema in this one');
      node.ref = target;
    }
    const depths = new Map<SchemaNode, number | null>();
    for (const node of this.nodes.values()) depthOf(node, depths);
  }
}

/** Returns how many schemas are in each other below a node, at most: those that it refers to take its place. */
function depthOf(node: SchemaNode, depths: Map<SchemaNode, number | null>): number {
  const known = depths.get(node);
  if (known === null)
    throw new SchemaFault(join(node.at, node.ref === undefined ? '' : '$ref'), 'must not be recursive');
  if (known !== undefined) return known;
  depths.set(node, null);
  const below = childrenOf(node).map((child) => 1 + depthOf(child, depths));
  const depth = Math.max(1, ...below, node.ref === undefined ? 0 : depthOf(node.ref, depths));
  if (depth > MAX_DEPTH)
    throw new SchemaFault(node.at, `must be at most ${MAX_DEPTH} schemas deep, with those it refers to`);
  depths.set(node, depth);
  return depth;
}

/** Lists the schemas directly below a node. */
export function childrenOf({ one, lists, maps }: SchemaNode): SchemaNode[] {
  return [
    ...Object.values(one),
    ...Object.values(lists).flat(),
    ...Object.values(maps).flatMap((schemas) => [...schemas.values()]),
  ];
}

/** Names a place, whatever the names of its members. */
const keyOf = (path: readonly string[]) => JSON.stringify(path);

/** Returns the names and places of a JSON pointer in a fragment (RFC 6901). */
function partsOf(pointer: string, at: string): string[] {
  try {
    const [first, ...parts] = decodeURIComponent(pointer.slice(1)).split('/');
    if (first === '') return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  } catch {
    // Not a fragment.
  }
  throw new SchemaFault(at, 'must be a JSON pointer, as in #/$defs/name');
}

function refuseUnsupported(node: SchemaNode, name: string, value: JsonValue, at: string): void {
  if (ANNOTATIONS.includes(name) || name.startsWith('x-')) return;
  if (name === '$id' && node.at === '') return;
  if (name === '$schema') {
    if (node.at === '' && value.kind === 'string' && DIALECTS.test(value.string)) return;
    throw new SchemaFault(at, 'must be https://json-schema.org/draft/2020-12/schema, in the schema itself');
  }
  throw new SchemaFault(at, 'is not a keyword that this service checks; remove it');
}

function stringOf(value: JsonValue, at: string): string {
  if (value.kind !== 'string') throw new SchemaFault(at, 'must be a string');
  return value.string;
}

function elementsOf(value: JsonValue, at: string, rule: string): JsonValue[] {
  if (value.kind !== 'array') throw new SchemaFault(at, rule);
  return value.elements;
}

function entriesOf(value: JsonValue, at: string, rule: string): ReadonlyMap<string, JsonValue> {
  if (value.kind !== 'object') throw new SchemaFault(at, rule);
  return value.entries;
}

const namesOf = (value: JsonValue, at: string): string[] => [
  ...new Set(elementsOf(value, at, 'must be an array of names').map((name, index) => stringOf(name, join(at, index)))),
];

function typesOf(value: JsonValue, at: string): SchemaType[] {
  const names = value.kind === 'array' ? value.elements.map((each) => stringOf(each, at)) : [stringOf(value, at)];
  const isKnown = names.length > 0 && names.every((name) => TYPES.includes(name));
  if (!isKnown) throw new SchemaFault(at, `must be one of ${TYPES.join(', ')}, or an array of them`);
  return names as SchemaType[];
}

function boundOf(value: JsonValue, at: string): Bound {
  if (value.kind !== 'number') throw new SchemaFault(at, 'must be a number');
  return { number: value.number, text: value.text };
}

function factorOf(value: JsonValue, at: string): Bound {
  const bound = boundOf(value, at);
  if (bound.number.sign <= 0 || bound.text.length > MAX_FACTOR_CHARS || bound.number.exponent !== '') {
    throw new SchemaFault(at, `must be a number above 0 of at most ${MAX_FACTOR_CHARS} characters`);
  }
  return bound;
}

function sizeOf(value: JsonValue, at: string): number {
  const { number, text } = boundOf(value, at);
  if (number.sign < 0 || !isInteger(number)) throw new SchemaFault(at, 'must be a whole number of at least 0');
  return Number(text);
}

/** Whether a number has no fraction. */
export function isInteger({ sign, digits, magnitude, exponent }: ExactNumber): boolean {
  if (sign === 0) return true;
  return exponent === '' ? magnitude >= digits.length : !exponent.startsWith('-');
}
