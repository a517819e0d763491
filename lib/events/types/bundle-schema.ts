import type { JsonValue } from '@/lib/events/json/json-value';
import { MAX_SCHEMA_BYTES } from '@/lib/events/schema';
import { DocumentFault, decodePointer, nameOfPart, type OpenApiReader } from './openapi-reader';
import { type Writing, writeSchema, writeSchemas } from './rewrite-references';

/** The text of a schema and its components, with the white space of a document that people read. More is not even looked at. */
export const MAX_READ_BYTES = 4 * MAX_SCHEMA_BYTES;
export const TOO_LARGE = 'has a schema of more than 64 KiB, with what it refers to';

const SCHEMAS = '#/components/schemas/';
const COMPONENTS = /^#\/components\/schemas\/([^/]+)(\/.*)?$/;

/**
 * Returns the JSON of a schema with the components that it refers to, in its `$defs`. Stops where it becomes too large.
 * @throws DocumentFault
 */
export function bundleSchema(reader: OpenApiReader, schema: JsonValue): string {
  const { value, pointer } = reader.follow(schema);
  let left = MAX_READ_BYTES;
  const take = (part: JsonValue): JsonValue => {
    left -= part.size;
    if (left < 0) throw new DocumentFault(TOO_LARGE);
    return part;
  };
  if (take(value).kind !== 'object') return refuseLarge(value).text;
  const own = value.member('$defs');
  const bundle = new Bundle(pointer, own?.kind === 'object' ? own.entries : new Map());
  let room = MAX_SCHEMA_BYTES;
  const writing: Writing = {
    rewrite: (reference) => bundle.rewrite(reference),
    count: (bytes) => {
      room -= bytes;
      if (room < 0) throw new DocumentFault(TOO_LARGE);
    },
  };
  const body = writeSchema(value, writing, ['$defs']);
  const definitions = own?.kind === 'object' ? writeSchemas(own, writing) : [];
  // Writing one may need others.
  for (let next = bundle.next(); next !== undefined; next = bundle.next()) {
    definitions.push(`${JSON.stringify(next.name)}:${writeSchema(take(reader.find(next.pointer)), writing)}`);
  }
  if (definitions.length === 0) return body;
  return `${body.slice(0, -1)}${body === '{}' ? '' : ','}"$defs":{${definitions.join(',')}}}`;
}

function refuseLarge(value: JsonValue): JsonValue {
  if (value.size > MAX_SCHEMA_BYTES) throw new DocumentFault(TOO_LARGE);
  return value;
}

/** Characters that a URL has in no other way. */
const ESCAPED = /[\s"#%<>\\^`{|}]/g;

/** Returns a name as references have it. */
const escapeName = (name: string) =>
  name.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll(ESCAPED, encodeURIComponent);

class Bundle {
  /** What each component is called among the definitions, by its decoded pointer. */
  private readonly called = new Map<string, string>();
  private readonly given = new Set<string>();
  private readonly waiting: { name: string; pointer: string }[] = [];
  private returned = 0;

  /**
   * @param root the pointer to the schema itself; null if nothing can refer to it
   * @param own its own definitions by their names
   */
  constructor(
    private readonly root: string | null,
    private readonly own: ReadonlyMap<string, unknown>,
  ) {}

  /** Returns a component that is needed and was not returned before. */
  next(): { name: string; pointer: string } | undefined {
    return this.waiting[this.returned++];
  }

  rewrite(reference: string): string {
    if (this.root !== null && (reference === this.root || reference.startsWith(`${this.root}/`))) {
      return `#${reference.slice(this.root.length)}`;
    }
    const [, component, rest = ''] = COMPONENTS.exec(reference) ?? [];
    if (component === undefined) {
      throw new DocumentFault(`refers to ${reference.slice(0, 100)}: schemas must be in #/components/schemas`);
    }
    return `#/$defs/${escapeName(this.nameOf(component))}${rest}`;
  }

  /** @param component its name, as references have it */
  private nameOf(component: string): string {
    const pointer = `${SCHEMAS}${component}`;
    const decoded = decodePointer(pointer);
    const known = this.called.get(decoded);
    if (known !== undefined) return known;
    const name = this.freeName(nameOfPart(decoded.slice(SCHEMAS.length)));
    this.given.add(name);
    this.called.set(decoded, name);
    this.waiting.push({ name, pointer });
    return name;
  }

  /** Each name that is taken is met by the one component whose number it has, so all of them together take as long as they are many. */
  private freeName(component: string): string {
    let name = component;
    for (let number = 2; this.own.has(name) || this.given.has(name); number += 1) name = `${component}_${number}`;
    return name;
  }
}
