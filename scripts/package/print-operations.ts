import { ZodDefault, ZodObject, type ZodType } from 'zod';
import type { JsonSchema } from '@/lib/api/openapi/json-schema';
import { SchemaCollection } from '@/lib/api/openapi/schemas';
import { TAGS } from '@/lib/api/openapi/tags';
import { resources } from '@/lib/api/table';
import { isLeftOut } from '@/lib/cli/routes/names';
import type { Field, FieldKind } from '@/lib/cli/routes/operation';
import type { RouteDefinition } from '@/lib/http/route';
import type { Verb } from '@/lib/http/table';
import { isRoute, placeOf } from './print-resources';

/** Parameters of lists that no option sets by itself: --limit and --all do, and a file is another command. */
const PAGING: ReadonlySet<string> = new Set(['limit', 'cursor', 'format']);

/** Returns every operation of the route table with its route, by `resource.method`. */
export function operationsOf(): [name: string, route: RouteDefinition][] {
  return Object.entries(resources).flatMap(([resource, routes]) =>
    Object.entries<unknown>(routes).flatMap(([method, route]): [string, RouteDefinition][] =>
      isRoute(route) ? [[`${resource}.${method}`, route]] : [],
    ),
  );
}

/**
 * Prints what the commands are made from: each operation that is one, with the fields of its request and answer. Reading the schemas
 * when a command starts would bring zod into a program that must start fast.
 */
export function printOperations(): string {
  const answers = new Answers();
  const used = operationsOf().filter(([name]) => !isLeftOut(name));
  const shared = new SharedFields(used.flatMap(([, route]) => inputOf(route)));
  const operations = used.map(
    ([name, route]) => `  ${quoted(name)}: ${printOperation(name, route, answers, shared)},\n`,
  );
  const groups = TAGS.flatMap(({ name, description }) =>
    used.some(([operation]) => operation.startsWith(`${name}.`)) ? [`  ${name}: ${quoted(description)},\n`] : [],
  );
  return `// Made from the routes: npx vitest run --project unit tests/package/client --update
import type { Answer, Field, Operation } from '@/lib/cli/routes/operation';

${answers.print()}
${shared.print()}
/** What each resource is about. */
export const RESOURCES: Readonly<Record<string, string>> = {
${groups.join('')}};

/** The operations of the API that are commands. */
export const OPERATIONS = {
${operations.join('')}} satisfies Record<string, Operation>;
`;
}

function printOperation(name: string, route: RouteDefinition, answers: Answers, shared: SharedFields): string {
  const [verb, path] = placeOf(route);
  const { summary, caller, response } = route;
  // A file is not what a list of a command reads.
  const [words = ''] = summary.split('; `format');
  const input = inputOf(route).map(([field, about]) => `      ${field}: ${shared.refer(about)},\n`);
  const parts = [
    `verb: ${quoted(verb)}`,
    `path: ${quoted(path)}`,
    `caller: ${quoted(caller.kind)}`,
    `summary: ${quoted(words.replace(/\.?$/, '.'))}`,
    ...(input.length === 0 ? [] : [`input: {\n${input.join('')}    }`]),
    ...(name === 'organizationExport.download' ? ['isFile: true'] : answers.describe(response)),
  ];
  return `{\n${parts.map((part) => `    ${part},\n`).join('')}  }`;
}

/** Describes the fields of the body or query of a route. */
function inputOf(route: RouteDefinition): [name: string, field: Field][] {
  const [verb, path] = placeOf(route);
  const { query, body } = route;
  if (query !== undefined && body !== undefined)
    throw new Error(`a command has no way to tell query and body apart: ${path}`);
  return fieldsOf(query ?? body, verb);
}

/** The shortest field that has a name of its own where several operations have it. */
const MIN_SHARED_LENGTH = 50;

/** The fields that several operations have. Each is printed once. */
class SharedFields {
  /** Their names, by what is printed of them. */
  private readonly names = new Map<string, string>();

  constructor(fields: readonly [name: string, field: Field][]) {
    const seen = new Set<string>();
    for (const [name, field] of fields) {
      const printed = printObject(field);
      if (printed.length < MIN_SHARED_LENGTH) continue;
      if (seen.has(printed) && !this.names.has(printed)) this.names.set(printed, this.freeName(`${name}Field`));
      seen.add(printed);
    }
  }

  /** Returns a field as an operation has it: by its name, if it has one. */
  refer(field: Field): string {
    const printed = printObject(field);
    return this.names.get(printed) ?? printed;
  }

  print(): string {
    return [...this.names].map(([printed, name]) => `const ${name}: Field = ${printed};\n`).join('');
  }

  private freeName(name: string, count = 1): string {
    const tried = count === 1 ? name : `${name}${count}`;
    return [...this.names.values()].includes(tried) ? this.freeName(name, count + 1) : tried;
  }
}

/** Describes the fields of a body or a query. */
function fieldsOf(schema: ZodType | undefined, verb: Verb): [name: string, field: Field][] {
  if (!(schema instanceof ZodObject)) return [];
  const schemas = new SchemaCollection();
  const { properties = {}, required = [] } = schemas.resolve(schemas.describe(schema, 'input')) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties)
    .filter(([name]) => !PAGING.has(name))
    .map(([name, property]) => {
      const { example, ...field } = fieldOf(property, schema.shape[name], required.includes(name), schemas);
      const isInExample = example !== undefined && (field.isRequired || verb === 'PATCH');
      return [name, isInExample ? { ...field, example } : field];
    });
}

function fieldOf(property: JsonSchema, zod: unknown, isRequired: boolean, schemas: SchemaCollection): Field {
  const alternatives = (property.anyOf ?? []) as JsonSchema[];
  const referred = alternatives.find(({ $ref }) => $ref !== undefined) ?? property;
  const { minimum, maximum, enum: choices, examples, type, ...rest } = { ...schemas.resolve(referred), ...property };
  const kind = kindOf({ ...rest, type, enum: choices }, schemas);
  const isNullable = [type, ...alternatives.map((each) => each.type)].flat().includes('null');
  const [example] = (examples as unknown[] | undefined) ?? (choices as unknown[] | undefined) ?? [];
  return {
    kind,
    description: String(property.description ?? rest.description),
    ...(isRequired && { isRequired }),
    ...(isNullable && { isNullable }),
    ...(kind === 'flag' && zod instanceof ZodDefault && zod.def.defaultValue === true && { isOn: true }),
    ...(kind === 'choice' && { choices: (choices as (string | null)[]).filter((each) => each !== null) }),
    ...(kind === 'number' && typeof minimum === 'number' && { min: minimum }),
    ...(kind === 'number' && typeof maximum === 'number' && { max: maximum }),
    ...(typeof example === 'string' && { example }),
  };
}

/** The formats of a text that are kinds of their own. */
const FORMATS: Record<string, FieldKind> = { uuid: 'id', 'date-time': 'time' };

function kindOf(given: JsonSchema, schemas: SchemaCollection): FieldKind {
  const schema = schemas.resolve(given);
  const type = [schema.type].flat().find((each) => each !== 'null');
  if (Array.isArray(schema.enum)) return 'choice';
  if (type === 'array') {
    const item = kindOf(schema.items as JsonSchema, schemas);
    if (item === 'number') return 'numbers';
    return item === 'json' ? 'json' : 'texts';
  }
  if (type === 'string') return FORMATS[String(schema.format)] ?? 'text';
  if (type === 'integer' || type === 'number') return 'number';
  return type === 'boolean' ? 'flag' : 'json';
}

/** The answers of the operations. Each schema with a name is printed once. */
class Answers {
  private readonly printed = new Map<string, string>();
  private readonly schemas = new SchemaCollection();

  /** Returns the part of an operation that says what it answers. */
  describe({ status, schema, contentType }: RouteDefinition['response']): string[] {
    if (schema === undefined || contentType !== undefined) return status === 200 ? ['isFile: true'] : [];
    const { data, nextCursor } = schema instanceof ZodObject ? schema.shape : {};
    const element = (data as { element?: ZodType } | undefined)?.element;
    if (nextCursor !== undefined && element !== undefined) return [`rows: ${this.shown(element)}`];
    return [`record: ${this.shown(schema)}`];
  }

  /** Prints each after those that it names. */
  print(): string {
    const lines = new Map<string, string>();
    const add = (name: string) => {
      const fields = this.extending(name);
      for (const [other] of fields.matchAll(/\b[A-Z]\w+/g)) {
        if (this.printed.has(other) && !lines.has(other)) add(other);
      }
      lines.set(name, `const ${name}: Answer = ${fields};\n`);
    };
    for (const name of this.printed.keys()) if (!lines.has(name)) add(name);
    return [...lines.values()].join('');
  }

  /** Returns the fields of an answer, of which those that it shares with the start of a shorter one are taken from there. */
  private extending(name: string): string {
    const fields = this.printed.get(name) ?? '';
    const [base] = [...this.printed]
      .filter(([, each]) => fields.startsWith(`${each.slice(0, -' }'.length)}, `))
      .toSorted(([, a], [, b]) => b.length - a.length);
    return base === undefined ? fields : `{ ...${base[0]},${fields.slice(base[1].length - ' }'.length + 1)}`;
  }

  private shown(schema: ZodType): string {
    return this.answerOf(this.schemas.describe(schema, 'output'));
  }

  private answerOf(given: JsonSchema): string {
    const named = [given, ...((given.anyOf ?? []) as JsonSchema[])].find(({ $ref }) => $ref !== undefined) ?? given;
    const schema = this.schemas.resolve(named);
    const { properties, items, type } = schema as {
      properties?: Record<string, JsonSchema>;
      items?: JsonSchema;
      type?: unknown;
    };
    if ([type].flat().includes('array') && items !== undefined) {
      const item = this.answerOf(items);
      // Pairs, such as headers.
      return item.startsWith('[') ? quoted('json') : `[${item}]`;
    }
    if (properties === undefined) return quoted(kindOf(schema, this.schemas));
    const name =
      String(named.$ref ?? '')
        .split('/')
        .at(-1) ?? '';
    const fields = `{ ${Object.entries(properties)
      .map(([field, each]) => `${field}: ${this.answerOf(each)}`)
      .join(', ')} }`;
    if (name === '') return fields;
    this.printed.set(name, fields);
    return name;
  }
}

function printObject(value: object): string {
  const parts = Object.entries(value).map(([key, each]) => `${key}: ${printValue(each)}`);
  return `{ ${parts.join(', ')} }`;
}

function printValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printValue).join(', ')}]`;
  return typeof value === 'string' ? quoted(value) : String(value);
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
}
