/** A field of an event as people read it. */
export interface SchemaRow {
  /** Where it is in the data, such as `items[].sku`. */
  path: string;
  type: string;
  isRequired: boolean;
  description: string | null;
  /** What else its schema says, such as "at least 1". */
  rules: string[];
}

type Json = Record<string, unknown>;

const MAX_ROWS = 200;
const MAX_LEVELS = 8;
const MAX_VALUES = 8;
/** Parts and members that are read for all rows together: references to parts with references multiply. */
const MAX_READ = 20_000;
const CUT = '…';

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A schema, and how many parts and members of it may still be read. */
interface Root {
  readonly schema: Json;
  left: number;
}

/** Lists the fields that a schema describes, outer ones first. @param schema one that the API has accepted */
export function schemaRows(schema: Json): SchemaRow[] {
  const rows: SchemaRow[] = [];
  addMembers(rows, { schema, left: MAX_READ }, schema, '', 1);
  return rows;
}

function addMembers(rows: SchemaRow[], root: Root, schema: unknown, prefix: string, level: number): void {
  const { properties, required } = merge(root, schema);
  for (const [name, given] of properties) {
    if (rows.length >= MAX_ROWS) return;
    const field = merge(root, given);
    const path = prefix === '' ? name : `${prefix}.${name}`;
    rows.push({
      path,
      type: typeOf(root, field),
      isRequired: required.has(name),
      description: field.description,
      rules: rulesOf(field),
    });
    if (level < MAX_LEVELS) addBelow(rows, root, field, path, level + 1);
  }
}

function addBelow(rows: SchemaRow[], root: Root, { own, properties }: Merged, path: string, level: number): void {
  if (properties.size > 0) addMembers(rows, root, own, path, level);
  else if (own.items !== undefined) {
    const items = merge(root, own.items);
    if (items.properties.size > 0) addMembers(rows, root, own.items, `${path}[]`, level);
  }
}

interface Merged {
  /** The schema, and what it refers to, in one. */
  own: Json;
  properties: Map<string, unknown>;
  required: Set<string>;
  description: string | null;
  /** Whether the rest was too much to read. */
  isCut: boolean;
}

const MAX_PARTS = 50;
const OR = ' or ';

/** Merges a schema with those that it refers to, and those of its allOf. */
function merge(root: Root, schema: unknown): Merged {
  const merged: Merged = { own: {}, properties: new Map(), required: new Set(), description: null, isCut: false };
  const waiting = [schema];
  for (let count = 0; waiting.length > 0 && count < MAX_PARTS; count += 1) {
    if (root.left <= 0) return { ...merged, isCut: true };
    const part = waiting.shift();
    root.left -= sizeOf(part);
    if (!isObject(part)) continue;
    merged.own = { ...part, ...merged.own };
    if (isObject(part.properties)) {
      for (const [name, property] of Object.entries(part.properties)) {
        if (!merged.properties.has(name)) merged.properties.set(name, property);
      }
    }
    if (Array.isArray(part.required)) for (const name of part.required) merged.required.add(String(name));
    if (merged.description === null && typeof part.description === 'string') merged.description = part.description;
    if (Array.isArray(part.allOf)) waiting.push(...part.allOf);
    if (typeof part.$ref === 'string') waiting.push(find(root, part.$ref));
  }
  return merged;
}

/** Returns how many members a part has, with those that are read one by one. */
function sizeOf(part: unknown): number {
  if (!isObject(part)) return 1;
  return [part, part.properties, part.required, part.allOf, part.anyOf, part.oneOf, part.enum].reduce(
    (size: number, each) => size + (typeof each === 'object' && each !== null ? Object.keys(each).length : 0),
    1,
  );
}

function find(root: Root, reference: string): unknown {
  let found: unknown = root.schema;
  for (const part of decodeURIComponent(reference.slice(1)).split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null) return undefined;
    found = (found as Json)[name];
  }
  return found;
}

/** @param budget how many parts it may still read: options that refer to options multiply */
function typeOf(root: Root, { own, properties, isCut }: Merged, budget = { parts: MAX_PARTS }): string {
  if (isCut) return CUT;
  const { type, items } = own;
  const typeOfPart = (part: unknown) => {
    budget.parts -= 1;
    return budget.parts < 0 ? CUT : typeOf(root, merge(root, part), budget);
  };
  if (type === 'array' && items !== undefined) return `array of ${typeOfPart(items)}`;
  if (typeof type === 'string') return typeof own.format === 'string' ? `${type} (${own.format})` : type;
  if (Array.isArray(type)) return type.join(OR);
  if (properties.size > 0) return 'object';
  const options = [own.anyOf, own.oneOf].find(Array.isArray) as unknown[] | undefined;
  // Options may have options, which are named once too.
  if (options !== undefined) return [...new Set(options.flatMap((each) => typeOfPart(each).split(OR)))].join(OR);
  const values = Array.isArray(own.enum) ? own.enum : 'const' in own ? [own.const] : [];
  return [...new Set(values.map(typeOfValue))].join(OR) || 'any';
}

function typeOfValue(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** A number may be one that JavaScript cannot hold. */
const textOf = (value: unknown) => JSON.stringify(value);

const RULES: readonly [name: string, words: (value: unknown) => string][] = [
  ['const', (value) => `always ${JSON.stringify(value)}`],
  ['enum', (value) => `one of ${shownValues(value as unknown[])}`],
  ['minimum', (value) => `at least ${textOf(value)}`],
  ['exclusiveMinimum', (value) => `greater than ${textOf(value)}`],
  ['maximum', (value) => `at most ${textOf(value)}`],
  ['exclusiveMaximum', (value) => `less than ${textOf(value)}`],
  ['multipleOf', (value) => `a multiple of ${textOf(value)}`],
  ['minLength', (value) => `at least ${textOf(value)} characters`],
  ['maxLength', (value) => `at most ${textOf(value)} characters`],
  ['minItems', (value) => `at least ${textOf(value)} elements`],
  ['maxItems', (value) => `at most ${textOf(value)} elements`],
];

function rulesOf({ own }: Merged): string[] {
  const rules = RULES.flatMap(([name, words]) => (name in own ? [words(own[name])] : []));
  return own.deprecated === true ? ['deprecated', ...rules] : rules;
}

function shownValues(values: readonly unknown[]): string {
  const shown = values.slice(0, MAX_VALUES).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  return values.length > MAX_VALUES ? `${shown.join(', ')}, …` : shown.join(', ');
}
