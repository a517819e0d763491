import { shortName } from './json-schema';

/** A change of a schema that breaks who receives its events. */
export interface BreakingChange {
  /** Where in the event, such as `data.items[].sku`. */
  path: string;
  message: string;
}

type Json = Record<string, unknown>;

/** The work of a comparison, in schemas and what is listed in them: references may multiply it. */
const MAX_WORK = 50_000;
/** That of all comparisons of an import. A document of 1 MiB with the schemas of hundreds of types takes 100,000. */
export const MAX_WORK_OF_IMPORT = 10 * MAX_WORK;
/** Characters of a reference that count as one. */
const CHARS_OF_WORK = 32;
const MAX_CHANGES = 100;
const MAX_HOPS = 100;

/**
 * Lists what receivers of a type miss or get in another form after a change of its schema: removed and retyped fields, new required
 * ones, and those that are no longer required. Yields after each value that it compares, as they may take long together. What is left after
 * 50,000 steps is not compared.
 * @param before JSON that was accepted as a schema
 * @param after the same
 * @param budget the steps of several comparisons, which this one takes its own from
 */
export function* findBreakingChanges(
  before: unknown,
  after: unknown,
  budget = { left: MAX_WORK },
): Generator<undefined, BreakingChange[]> {
  const most = Math.min(MAX_WORK, budget.left);
  const search = new Search(before, after, most);
  yield* search.compare(before, after, 'data');
  budget.left -= most - search.work.left;
  return search.changes.slice(0, MAX_CHANGES);
}

/** What a schema says of a value, with all that it refers to. */
interface View {
  types: ReadonlySet<string> | null;
  properties: ReadonlyMap<string, unknown>;
  required: ReadonlySet<string>;
  items: unknown;
  prefixItems: readonly unknown[];
}

class Search {
  readonly changes: BreakingChange[] = [];
  readonly work: { left: number };

  constructor(
    private readonly before: unknown,
    private readonly after: unknown,
    most: number,
  ) {
    this.work = { left: most };
  }

  *compare(before: unknown, after: unknown, path: string): Generator<undefined, void> {
    if (this.work.left < 0 || this.changes.length >= MAX_CHANGES) return;
    const [old, current] = [viewOf(this.before, before, this.work), viewOf(this.after, after, this.work)];
    this.compareTypes(old, current, path);
    yield;
    for (const [name, schema] of old.properties) {
      const at = `${path}.${shortName(name)}`;
      const now = current.properties.get(name);
      if (now === undefined) this.add(at, 'is removed');
      else {
        if (old.required.has(name) && !current.required.has(name)) this.add(at, 'is no longer always there');
        yield* this.compare(schema, now, at);
      }
    }
    for (const name of current.required) {
      if (!old.required.has(name)) this.add(`${path}.${shortName(name)}`, 'is newly required');
    }
    if (old.items !== undefined && current.items !== undefined) {
      yield* this.compare(old.items, current.items, `${path}[]`);
    }
    for (const [index, schema] of old.prefixItems.entries()) {
      const now = current.prefixItems[index] ?? current.items;
      if (now !== undefined) yield* this.compare(schema, now, `${path}[${index}]`);
    }
  }

  private compareTypes({ types: old }: View, { types: current }: View, path: string): void {
    if (old === null) return;
    if (current === null) {
      this.add(path, `can be anything, and was ${wordsOf(old)}`);
      return;
    }
    const isKept = [...current].every((type) => old.has(type) || (type === 'integer' && old.has('number')));
    if (!isKept) this.add(path, `is ${wordsOf(current)}, and was ${wordsOf(old)}`);
  }

  private add(path: string, message: string): void {
    this.changes.push({ path, message });
  }
}

const wordsOf = (types: ReadonlySet<string>) => [...types].join(' or ');

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const lengthOf = (value: unknown) => (Array.isArray(value) ? value.length : 0);

/** Merges a schema with those that it refers to, and those of its allOf. */
function viewOf(root: unknown, schema: unknown, work: { left: number }): View {
  const view = {
    types: null as Set<string> | null,
    properties: new Map<string, unknown>(),
    required: new Set<string>(),
  };
  let items: unknown;
  let prefixItems: readonly unknown[] = [];
  const waiting = [schema];
  const merged = new Set<unknown>();
  for (let hops = 0; waiting.length > 0 && hops < MAX_HOPS; hops += 1) {
    const each = waiting.shift();
    work.left -= 1;
    // Merged again, it says the same.
    if (!isObject(each) || merged.has(each)) continue;
    merged.add(each);
    work.left -= lengthOf(each.type) + lengthOf(each.enum) + lengthOf(each.required) + lengthOf(each.allOf);
    const types = typesOf(each);
    if (types !== null)
      view.types = view.types === null ? types : new Set([...view.types].filter((type) => types.has(type)));
    if (isObject(each.properties)) {
      for (const [name, property] of Object.entries(each.properties)) {
        work.left -= 1;
        if (!view.properties.has(name)) view.properties.set(name, property);
      }
    }
    if (Array.isArray(each.required)) for (const name of each.required) view.required.add(String(name));
    items ??= each.items;
    if (Array.isArray(each.prefixItems)) prefixItems = each.prefixItems;
    if (Array.isArray(each.allOf)) waiting.push(...each.allOf);
    if (typeof each.$ref === 'string') {
      work.left -= each.$ref.length / CHARS_OF_WORK;
      waiting.push(find(root, each.$ref));
    }
  }
  return { ...view, items, prefixItems };
}

/** The types of a value; those of `enum` and `const` where there is no `type`. */
function typesOf({ type, enum: values, const: value }: Json): Set<string> | null {
  if (typeof type === 'string') return new Set([type]);
  if (Array.isArray(type)) return new Set(type.map(String));
  const listed = Array.isArray(values) ? values : value === undefined ? null : [value];
  return listed === null ? null : new Set(listed.map(typeOf));
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function find(root: unknown, reference: string): unknown {
  const parts = decodeURIComponent(reference.slice(1)).split('/').slice(1);
  let found: unknown = root;
  for (const part of parts) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Json)[name];
  }
  return found;
}
