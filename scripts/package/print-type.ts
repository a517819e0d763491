import type { JsonSchema } from '@/lib/api/openapi/json-schema';

const REFERENCE = '#/components/schemas/';
const PRIMITIVES: Record<string, string> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** Prints JSON Schemas as TypeScript. */
export class TypePrinter {
  /** The components that a printed type refers to. */
  readonly used = new Set<string>();

  constructor(private readonly components: Readonly<Record<string, JsonSchema>>) {}

  /**
   * Returns the type of a schema.
   * @throws Error for a schema that the service does not use
   */
  print(schema: JsonSchema): string {
    if (typeof schema.$ref === 'string') return this.reference(schema.$ref.slice(REFERENCE.length));
    if ('const' in schema) return literal(schema.const);
    if (Array.isArray(schema.enum)) return union(schema.enum.map(literal));
    const alternatives = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
    if (alternatives !== undefined) return union(alternatives.map((each) => this.print(each)));
    if (Array.isArray(schema.type)) return union(schema.type.map((type) => this.print({ ...schema, type })));
    if (schema.type === 'array') return this.list(schema);
    if (schema.type === 'object') return this.object(schema);
    const primitive = PRIMITIVES[String(schema.type)];
    if (primitive !== undefined) return primitive;
    if (Object.keys(schema).every((key) => ['description', 'examples'].includes(key))) return 'unknown';
    throw new Error(`cannot print ${JSON.stringify(schema)} as a type`);
  }

  /** Returns the members of an object schema, between its braces. @param printValue prints the type of a member */
  members(schema: JsonSchema, printValue = (value: JsonSchema) => this.print(value)): string {
    const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
    const required = (schema.required ?? []) as string[];
    const lines = Object.entries(properties).map(([name, value]) => {
      const mark = required.includes(name) ? '' : '?';
      return `${docComment(this.describe(value))}${name}${mark}: ${printValue(value)};`;
    });
    return `{\n${indent(lines.join('\n'))}\n}`;
  }

  /** The name, unless the type says more: `url: string` is plainer than `url: TargetUrl`. */
  private reference(name: string): string {
    const type = this.print(this.component(name));
    if (isPlain(type)) return type;
    this.used.add(name);
    return name;
  }

  private component(name: string): JsonSchema {
    const schema = this.components[name];
    if (schema === undefined) throw new Error(`${name} is not described`);
    return schema;
  }

  /** The description of a member, or that of its type when the type has no name of its own, and its default. */
  private describe(member: JsonSchema): string {
    const { anyOf = [member], default: value } = member;
    const references = (anyOf as JsonSchema[]).flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []));
    const components = references.map((reference) => this.component(reference.slice(REFERENCE.length)));
    const plain = components.find((each) => isPlain(this.print(each)));
    const hasDefault = value !== undefined && typeof value !== 'object';
    const texts = [member.description ?? plain?.description, hasDefault ? `Default: ${value}` : undefined];
    return texts.filter((text) => text !== undefined).join('. ');
  }

  private list({ items, minItems, maxItems }: JsonSchema): string {
    const item = this.print((items ?? {}) as JsonSchema);
    if (minItems === 2 && maxItems === 2) return `[${item}, ${item}]`;
    return /[|&]/.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
  }

  private object(schema: JsonSchema): string {
    if (schema.properties !== undefined) return this.members(schema);
    const { additionalProperties } = schema;
    const value = typeof additionalProperties === 'object' ? this.print(additionalProperties as JsonSchema) : 'unknown';
    return `Record<string, ${value}>`;
  }
}

/** Returns a comment with its line break; empty without a text. */
export function docComment(text: string): string {
  if (text === '') return '';
  return `/** ${text.replaceAll('*/', '*\\/')}${/[.?!]$/.test(text) ? '' : '.'} */\n`;
}

/** Such as `string`, `number[]` and `Record<string, unknown>`. */
function isPlain(type: string): boolean {
  return /^[\w<>, ]+(?:\[\])*$/.test(type);
}

/** A text that may be anything makes literals superfluous. */
function union(types: readonly string[]): string {
  const distinct = [...new Set(types)].filter((type) => !(type.startsWith("'") && types.includes('string')));
  return distinct.join(' | ');
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}
