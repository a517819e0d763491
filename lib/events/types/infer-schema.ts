import { JsonValue } from '@/lib/events/json/json-value';

/** What values at one place have been. */
interface Shape {
  count: number;
  types: Set<string>;
  /** Of strings: the format that all of them have; null for none, undefined before the first. */
  format?: string | null;
  properties: Map<string, Shape>;
  objects: number;
  /** It has names like a map, and not like a record. */
  isMap: boolean;
  items: Shape | null;
}

/** A proposal is read by people. */
const MAX_SHAPES = 300;
const MAX_LEVELS = 10;
const MAX_PROPERTIES = 60;
const MAX_ELEMENTS = 50;
/** Values of an event. 100,000 of them take the thread for 100 ms. */
const MAX_VALUES = 2_000;

const FORMATS: readonly [name: string, pattern: RegExp][] = [
  ['date-time', /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/],
  ['date', /^\d{4}-\d\d-\d\d$/],
  ['uuid', /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i],
  ['uri', /^https?:\/\/[^\s]{1,2000}$/],
];

const emptyShape = (): Shape => ({
  count: 0,
  types: new Set(),
  properties: new Map(),
  objects: 0,
  isMap: false,
  items: null,
});

/** A value of an event, and what values at its place have been. */
interface Place {
  shape: Shape;
  value: JsonValue;
  level: number;
}

/** Learns the form of values, and proposes a schema that all it has looked at satisfies. */
export class SchemaInference {
  private readonly root = emptyShape();
  private shapes = 1;
  /** What is looked at of the current value: those in few levels first. */
  private places: Place[] = [];
  /** How many more of it may be. */
  private left = 0;

  /** @param json text that JSON.parse accepts. Of an object or array, no more is read than a proposal has. */
  add(json: string): void {
    this.left = MAX_VALUES;
    this.look({ shape: this.root, value: JsonValue.of(json), level: 1 });
    // Grows meanwhile.
    for (const place of this.places) this.learn(place);
    this.places = [];
  }

  /** Returns the proposal as JSON Schema. */
  propose(): Record<string, unknown> {
    return schemaOf(this.root);
  }

  private learn({ shape, value, level }: Place): void {
    shape.count += 1;
    shape.types.add(typeOf(value));
    if (value.kind === 'string') learnFormat(shape, value.string);
    if (level >= MAX_LEVELS || this.left === 0) return;
    if (value.kind === 'array') this.learnElements(shape, value, level + 1);
    if (value.kind === 'object') this.learnMembers(shape, value, level + 1);
  }

  private learnElements(shape: Shape, array: JsonValue, level: number): void {
    const count = Math.min(MAX_ELEMENTS, array.length, this.left);
    for (let index = 0; index < count; index += 1) {
      shape.items ??= this.makeShape();
      if (shape.items === null) return;
      this.look({ shape: shape.items, value: array.element(index) as JsonValue, level });
    }
  }

  private learnMembers(shape: Shape, object: JsonValue, level: number): void {
    if (shape.isMap) return;
    const entries = object.firstEntries(MAX_PROPERTIES + 1);
    if (entries.size > this.left) {
      // Without all of its members, none would be required.
      this.left = 0;
      return;
    }
    shape.objects += 1;
    for (const [name, value] of entries) {
      let property = shape.properties.get(name);
      if (property === undefined) {
        const made = shape.properties.size < MAX_PROPERTIES ? this.makeShape() : null;
        if (made === null) {
          shape.isMap = true;
          return;
        }
        property = made;
        shape.properties.set(name, property);
      }
      this.look({ shape: property, value, level });
    }
  }

  private look(place: Place): void {
    this.places.push(place);
    this.left -= 1;
  }

  private makeShape(): Shape | null {
    if (this.shapes >= MAX_SHAPES) return null;
    this.shapes += 1;
    return emptyShape();
  }
}

/** Returns the type as JSON.parse would read the value. */
function typeOf(value: JsonValue): string {
  if (value.kind !== 'number') return value.kind;
  return Number.isInteger(Number(value.text)) ? 'integer' : 'number';
}

function learnFormat(shape: Shape, text: string): void {
  if (shape.format === null) return;
  const format = FORMATS.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
  shape.format = shape.format === undefined || shape.format === format ? format : null;
}

function schemaOf({ types, format, properties, objects, isMap, items }: Shape): Record<string, unknown> {
  const named = new Set(types);
  // A whole number may come where there are others.
  if (named.has('number')) named.delete('integer');
  const list = [...named].sort((a, b) => Number(a === 'null') - Number(b === 'null'));
  const required = [...properties].filter(([, { count }]) => count === objects).map(([name]) => name);
  const isRecord = objects > 0 && !isMap && properties.size > 0;
  return {
    ...(list.length === 0 ? {} : { type: list.length === 1 ? list[0] : list }),
    ...(typeof format === 'string' ? { format } : {}),
    ...(isRecord
      ? { properties: Object.fromEntries([...properties].map(([name, property]) => [name, schemaOf(property)])) }
      : {}),
    ...(isRecord && required.length > 0 ? { required } : {}),
    ...(items === null ? {} : { items: schemaOf(items) }),
  };
}
