import { type JsonKind, JsonValue } from '@/lib/events/json/json-value';
import type { ExactNumber } from '@/lib/events/same-json';

export const MAX_NODES = 500;
export const MAX_DEPTH = 16;
const MAX_ENUM_VALUES = 1_000;
/** The digits of `multipleOf`. */
const MAX_FACTOR_CHARS = 30;

export type SchemaType = JsonKind | 'integer';
const TYPES: readonly string[] = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

/** A number of a schema, and how errors show it. */
interface Bound {
  number: ExactNumber;
  shown: string;
}

/** Values by their fingerprints, and how errors show them. */
interface Values {
  fingerprints: ReadonlySet<number>;
  shown: string;
}

/** Where something is: in what, and its name there. Null for the schema itself. A text for each would repeat the names above it. */
type Place = { above: Place; name: string | number } | null;

/** A schema, as the interpreter reads it (check-json.ts). */
export interface SchemaNode {
  place: Place;
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
  /** Whether it has no schemas. */
  isSimple: boolean;
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
const MAX_SHOWN_CHARS = 200;
const MAX_NAME_CHARS = 100;
const cut = (text: string, most: number) => (text.length > most ? `${text.slice(0, most)}…` : text);

/** Returns the beginning of a text of a schema, for an error. */
export const shorten = (text: string) => cut(text, MAX_SHOWN_CHARS);
/** Returns the beginning of a name, for the path of an error. */
export const shortName = (name: string) => cut(name, MAX_NAME_CHARS);

const DIALECTS =
  /^https:\/\/(json-schema\.org\/draft\/2020-12\/schema#?|spec\.openapis\.org\/oas\/3\.1\/dialect\/base)$/;

/** What is wrong with a schema, and where: `properties.amount.pattern`, or empty for the schema itself. */
export class SchemaFault extends Error {
  readonly at: string;

  constructor(place: Place, message: string) {
    super(message);
    const names: string[] = [];
    for (let each = place; each !== null; each = each.above) names.push(shortName(String(each.name)));
    this.at = names.reverse().join('.');
  }
}

const isOneOf = <Name extends string>(names: readonly Name[], name: string): name is Name =>
  (names as readonly string[]).includes(name);

/**
 * Reads a schema (docs/specification.md#event-types). Its work is bounded, and what it cannot check is refused.
 * @param json text that JSON.parse accepts
 * @param isStored lets values be too deep to be compared, and equal to none: earlier versions stored them
 * @throws SchemaFault
 */
export function readSchema(json: string, isStored = false): SchemaNode {
  const reader = new SchemaReader(isStored);
  const root = reader.read(JsonValue.of(json), null, 1);
  reader.resolve(root);
  return root;
}

class SchemaReader {
  private readonly nodes: SchemaNode[] = [];
  private readonly refs: { node: SchemaNode; pointer: string }[] = [];
  private enumValues = 0;

  constructor(private readonly isStored: boolean) {}

  read(value: JsonValue, place: Place, depth: number): SchemaNode {
    if (depth > MAX_DEPTH) throw new SchemaFault(place, `must be at most ${MAX_DEPTH} schemas deep`);
    if (this.nodes.length >= MAX_NODES) throw new SchemaFault(null, `must have at most ${MAX_NODES} subschemas`);
    const node: SchemaNode = {
      place,
      bounds: {},
      sizes: {},
      required: [],
      one: {},
      lists: {},
      maps: {},
      isSimple: true,
    };
    this.nodes.push(node);
    if (value.kind === 'boolean') return Object.assign(node, { always: value.text === 'true' });
    if (value.kind !== 'object') throw new SchemaFault(place, 'must be a schema: an object, true or false');
    for (const [name, member] of value.entries) this.readKeyword(node, name, member, depth + 1);
    return node;
  }

  /** @param depth of the schemas in it */
  private readKeyword(node: SchemaNode, name: string, value: JsonValue, depth: number): void {
    const at: Place = { above: node.place, name };
    if (isOneOf(BOUNDS, name)) node.bounds[name] = boundOf(value, at);
    else if (isOneOf(SIZES, name)) node.sizes[name] = sizeOf(value, at);
    else if (isOneOf(ONE, name)) node.one[name] = this.read(value, at, depth);
    else if (isOneOf(LISTS, name)) {
      const schemas = elementsOf(value, at, 'must be an array of schemas');
      if (schemas.length === 0) throw new SchemaFault(at, 'must have at least one schema');
      node.lists[name] = schemas.map((schema, index) => this.read(schema, { above: at, name: index }, depth));
    } else if (isOneOf(MAPS, name)) {
      const schemas = entriesOf(value, at, 'must be an object of schemas');
      const read = (schema: JsonValue, key: string) => this.read(schema, { above: at, name: key }, depth);
      node.maps[name] = new Map([...schemas].map(([key, schema]) => [key, read(schema, key)]));
    } else this.readOther(node, name, value, at);
  }

  private readOther(node: SchemaNode, name: string, value: JsonValue, at: Place): void {
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
        node.dependentRequired = new Map(lists.map(([key, list]) => [key, namesOf(list, { above: at, name: key })]));
        return;
      }
      case '$ref':
        this.refs.push({ node, pointer: stringOf(value, at) });
        return;
      default:
        refuseUnsupported(node, name, value, at);
    }
  }

  private valuesOf(values: readonly JsonValue[], at: Place): Values {
    if (values.length === 0) throw new SchemaFault(at, 'must have at least one value');
    this.enumValues += values.length;
    if (this.enumValues > MAX_ENUM_VALUES) {
      throw new SchemaFault(at, `the schema must have at most ${MAX_ENUM_VALUES} values of enum and const in all`);
    }
    const fingerprints = new Set(values.map(({ fingerprint }) => fingerprint));
    // A value that is too deep equals no other, but a Set finds NaN.
    if (fingerprints.delete(Number.NaN) && !this.isStored) {
      throw new SchemaFault(at, 'has a value that is too large to be compared');
    }
    return { fingerprints, shown: shorten(values.map(({ text }) => text).join(', ')) };
  }

  /** Connects the references with what they refer to, and refuses what would not end or is too deep. */
  resolve(root: SchemaNode): void {
    for (const { node, pointer } of this.refs) {
      const at: Place = { above: node.place, name: '$ref' };
      if (!pointer.startsWith('#')) throw new SchemaFault(at, 'must refer to this schema itself, as in #/$defs/name');
      const target = findNode(root, partsOf(pointer, at));
      if (target === undefined) throw new SchemaFault(at, 'does not refer to a schema in this one');
      node.ref = target;
    }
    const depths = new Map<SchemaNode, number | null>();
    for (const node of this.nodes) {
      depthOf(node, depths);
      node.isSimple = node.ref === undefined && childrenOf(node).length === 0;
    }
  }
}

/** Returns how many schemas are in each other below a node, at most: those that it refers to take its place. */
function depthOf(node: SchemaNode, depths: Map<SchemaNode, number | null>): number {
  const known = depths.get(node);
  if (known === null) {
    const place = node.ref === undefined ? node.place : { above: node.place, name: '$ref' };
    throw new SchemaFault(place, 'must not be recursive');
  }
  if (known !== undefined) return known;
  depths.set(node, null);
  const below = childrenOf(node).map((child) => 1 + depthOf(child, depths));
  const depth = Math.max(1, ...below, node.ref === undefined ? 0 : depthOf(node.ref, depths));
  if (depth > MAX_DEPTH)
    throw new SchemaFault(node.place, `must be at most ${MAX_DEPTH} schemas deep, with those it refers to`);
  depths.set(node, depth);
  return depth;
}

/** Lists the schemas directly below a node. */
function childrenOf({ one, lists, maps }: SchemaNode): SchemaNode[] {
  return [
    ...Object.values(one),
    ...Object.values(lists).flat(),
    ...Object.values(maps).flatMap((schemas) => [...schemas.values()]),
  ];
}

/** Counts a schema and those in it. */
export function countNodes(node: SchemaNode): number {
  return childrenOf(node).reduce((count, child) => count + countNodes(child), 1);
}

/** Finds the schema that a pointer leads to, by the names and places in it. */
function findNode(root: SchemaNode, parts: readonly string[]): SchemaNode | undefined {
  let node: SchemaNode | undefined = root;
  for (let at = 0; at < parts.length && node !== undefined; at += 1) {
    const [name = '', key = ''] = parts.slice(at, at + 2);
    if (isOneOf(ONE, name)) node = node.one[name];
    else {
      node = isOneOf(MAPS, name)
        ? node.maps[name]?.get(key)
        : isOneOf(LISTS, name)
          ? node.lists[name]?.[placeOf(key)]
          : undefined;
      at += 1;
    }
  }
  return node;
}

/** Returns the place that a part of a pointer names, or that of no element. */
const placeOf = (part: string) => (/^(?:0|[1-9]\d*)$/.test(part) ? Number(part) : -1);

/** Returns the names and places of a JSON pointer in a fragment (RFC 6901). */
function partsOf(pointer: string, at: Place): string[] {
  try {
    const [first, ...parts] = decodeURIComponent(pointer.slice(1)).split('/');
    if (first === '') return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  } catch {
    // Not a fragment.
  }
  throw new SchemaFault(at, 'must be a JSON pointer, as in #/$defs/name');
}

function refuseUnsupported(node: SchemaNode, name: string, value: JsonValue, at: Place): void {
  if (ANNOTATIONS.includes(name) || name.startsWith('x-')) return;
  if (name === '$id' && node.place === null) return;
  if (name === '$schema') {
    if (node.place === null && value.kind === 'string' && DIALECTS.test(value.string)) return;
    throw new SchemaFault(at, 'must be https://json-schema.org/draft/2020-12/schema, in the schema itself');
  }
  throw new SchemaFault(at, 'is not a keyword that this service checks; remove it');
}

function stringOf(value: JsonValue, at: Place): string {
  if (value.kind !== 'string') throw new SchemaFault(at, 'must be a string');
  return value.string;
}

function elementsOf(value: JsonValue, at: Place, rule: string): JsonValue[] {
  if (value.kind !== 'array') throw new SchemaFault(at, rule);
  return value.elements;
}

function entriesOf(value: JsonValue, at: Place, rule: string): ReadonlyMap<string, JsonValue> {
  if (value.kind !== 'object') throw new SchemaFault(at, rule);
  return value.entries;
}

const namesOf = (value: JsonValue, at: Place): string[] => [
  ...new Set(
    elementsOf(value, at, 'must be an array of names').map((name, index) => stringOf(name, { above: at, name: index })),
  ),
];

function typesOf(value: JsonValue, at: Place): SchemaType[] {
  const names = value.kind === 'array' ? value.elements.map((each) => stringOf(each, at)) : [stringOf(value, at)];
  const isKnown = names.length > 0 && names.every((name) => TYPES.includes(name));
  if (!isKnown) throw new SchemaFault(at, `must be one of ${TYPES.join(', ')}, or an array of them`);
  return [...new Set(names)] as SchemaType[];
}

function boundOf(value: JsonValue, at: Place): Bound {
  if (value.kind !== 'number') throw new SchemaFault(at, 'must be a number');
  return { number: value.number, shown: shorten(value.text) };
}

function factorOf(value: JsonValue, at: Place): Bound {
  const bound = boundOf(value, at);
  if (bound.number.sign <= 0 || value.size > MAX_FACTOR_CHARS || bound.number.exponent !== '') {
    throw new SchemaFault(at, `must be a number above 0 of at most ${MAX_FACTOR_CHARS} characters`);
  }
  return bound;
}

function sizeOf(value: JsonValue, at: Place): number {
  const { number } = boundOf(value, at);
  if (number.sign < 0 || !isInteger(number)) throw new SchemaFault(at, 'must be a whole number of at least 0');
  return Number(value.text);
}

/** Whether a number has no fraction. */
export function isInteger({ sign, digits, magnitude, exponent }: ExactNumber): boolean {
  if (sign === 0) return true;
  return exponent === '' ? magnitude >= digits.length : !exponent.startsWith('-');
}
