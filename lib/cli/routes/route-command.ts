import type { Context } from '@/lib/cli/context';
import { OPERATIONS } from '@/lib/cli/generated/operations';
import { pageSize, paging, requireChange, rowLimit, yes } from '@/lib/cli/options';
import { type Column, columnsOf } from '@/lib/cli/output/column';
import { findByName } from '@/lib/cli/session/choose';
import type {
  Args,
  ArgumentSpec,
  CommandSpec,
  NoOptions,
  OperationName,
  OptionSpec,
  Options,
  Values,
  Words,
} from '@/lib/cli/spec';
import type { Resources } from '@/lib/client/generated/resources';
import type { ListRequest } from '@/lib/client/list-request';
import { type FieldOptions, optionsOf, requireFields, wordsOf } from './field-options';
import { ASKS, commandOf, dashed, flagOf, NAMED, nounOf, PAST } from './names';
import type { Answer, Field, Operation } from './operation';

type Method<O> = O extends `${infer R}.${infer M}`
  ? R extends keyof Resources
    ? M extends keyof Resources[R]
      ? Resources[R][M]
      : never
    : never
  : never;

/** What the API answers to an operation; a row of it, if it is a list. */
type Answered<O> =
  Method<O> extends (...args: never) => infer P ? (P extends ListRequest<infer Row> ? Row : Awaited<P>) : never;

/** The body or query of an operation: what its method takes after the ids. */
type Input<P> = P extends [string, ...infer Rest] ? Input<Rest> : Required<P> extends [infer I, unknown] ? I : object;
type InputOf<O> = Method<O> extends (...args: infer P) => unknown ? Input<P> : object;

/** The result of an action: the answer, or, without one, what was done to which resource. */
type Result<O> = Answered<O> extends object ? Answered<O> : { id: string };

/** The resource that an operation is about. */
type Found<O> = O extends `${infer R}.${string}` ? Answered<`${R}.get`> : never;

/** What a person gave, and what it names. */
interface Given<X, I, F, R> {
  args: Record<string, string>;
  /** The options that are not fields. */
  options: Values<X>;
  found: F;
  /** Sends the request with the fields that were given, and others. */
  send(more?: Partial<I>): Promise<R>;
}

/**
 * What a command says or does in another way than its route says. `A` is the answer, or a row of it, `I` the body or query, `Row` what
 * columns show, `F` what an action is about, and `R` its result.
 */
interface Own<X extends Options, A, I, Row, F, R extends object> extends Partial<Words> {
  /** The fields that are arguments, in order. By default the only one that a creation or a search needs. */
  args?: readonly string[];
  /** The fields that are options; by default all. With it, the command is a shorter way to a part of an operation. */
  fields?: readonly string[];
  /** Fields that options of its own make. */
  without?: readonly string[];
  /** Options in place of those of a field, and others. */
  options?: X;
  columns?: Column<Row>[];
  /** Said when there are no rows. */
  empty?: string;
  /** Returns the rows of a list with more than the API answers. */
  rows?(context: Context, rows: AsyncIterable<A>): AsyncIterable<Row>;
  /** Finds what an action is about. By default the resource, if it is named or there is a question. */
  find?(context: Context, args: Record<string, string>): Promise<F>;
  /** The question before an action. */
  confirm?(found: F, args: Record<string, string>): string;
  call?(context: Context, given: Given<X, I, F, A extends object ? A : { id: string }>): Promise<R>;
  /** Says what was done. */
  done?(result: R, found: F): string;
  /** What goes to standard output, alone in a line. */
  data?(result: R): string | null | undefined;
  /** Says more to a person. */
  after?(context: Context, result: R, found: F): void;
}

type AnyOwn = Own<Options, object, object, object, object, object>;

/**
 * Makes the command of an operation: arguments from the ids of its path, options from the fields of its body or query, and columns
 * from those of its answer.
 */
export function route<
  const O extends OperationName,
  const X extends Options = NoOptions,
  Row = Answered<O>,
  F = Found<O>,
  R extends object = Result<O>,
>(operation: O, own: Own<X, Answered<O>, InputOf<O>, Row, F, R> = {}): CommandSpec {
  const { summary, details, examples, fields } = own;
  const about: Operation = OPERATIONS[operation];
  let made: RouteCommand | undefined;
  // Making all of them would take a part of the start that people notice, and one is run.
  const make = () => {
    made ??= new RouteCommand(operation, own as unknown as AnyOwn);
    return made;
  };
  return {
    summary: summary ?? about.summary,
    ...(details !== undefined && { details }),
    operations: fields === undefined ? [operation] : [],
    get args() {
      return make().args();
    },
    get options() {
      return make().options();
    },
    get examples() {
      return examples ?? { [make().example()]: `${firstClause(about.summary)}.` };
    },
    run: async (context, given) => await make().run(context, given.args as Record<string, string>, given.options),
  };
}

/** What an option of a field is read as. */
type ValueOf<O, N> = N extends 'from' | 'to' ? Date | undefined : N extends keyof InputOf<O> ? InputOf<O>[N] : never;

/** Returns options of an operation for a command of its own, by field. */
export function optionsFrom<const O extends OperationName, const N extends string>(operation: O, ...names: N[]) {
  const { verb, input = {} }: Operation = OPERATIONS[operation];
  const made = names.map((name) => [name, optionsOf(name, input[name] as Field, verb).options[name]]);
  return Object.fromEntries(made) as { [K in N]: OptionSpec<ValueOf<O, K>> };
}

class RouteCommand {
  private readonly about: Operation;
  private readonly ids: string[];
  /** The fields of the request that are arguments. */
  private readonly inArgs: readonly string[];
  private readonly fields: Readonly<Record<string, FieldOptions>>;

  constructor(
    private readonly operation: OperationName,
    private readonly own: AnyOwn,
  ) {
    this.about = OPERATIONS[operation];
    const { verb, path, input = {} } = this.about;
    this.ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const needed = Object.keys(input).filter((name) => input[name]?.isRequired);
    this.inArgs = own.args ?? (needed.length === 1 && (verb === 'POST' || verb === 'GET') ? needed : []);
    const names = (own.fields ?? Object.keys(input)).filter(
      (name) => !this.inArgs.includes(name) && !own.without?.includes(name),
    );
    this.fields = Object.fromEntries(names.map((name) => [name, this.optionsOf(name, input[name] as Field)]));
  }

  options(): Options {
    const options: Options = Object.assign({}, ...Object.values(this.fields).map((field) => field.options));
    const asks = this.own.confirm !== undefined || this.asks();
    return { ...options, ...this.own.options, ...(this.about.rows && paging), ...(asks && { yes }) };
  }

  private asks(): boolean {
    const { verb } = this.about;
    return verb !== 'GET' && verb !== 'PATCH' && ASKS.test(commandOf(this.operation)[1]) && this.own.call === undefined;
  }

  private optionsOf(name: string, field: Field): FieldOptions {
    const own = this.own.options?.[name];
    return own === undefined
      ? optionsOf(name, field, this.about.verb)
      : { options: { [name]: own }, read: (given) => given[name] };
  }

  /** Whether an id is that of the project or the organization of the command. */
  private isChosen(id: string): boolean {
    return (id === 'projectId' || id === 'orgId') && this.about.caller !== 'operator';
  }

  /** Whether an id names what the command is about, and not only where that is. */
  private isSubject(id: string): boolean {
    return this.operation.startsWith(id === 'projectId' ? 'projects.' : 'organizations.');
  }

  args(): Args {
    const { input = {} } = this.about;
    const ofInput = this.inArgs.map((name): [string, ArgumentSpec] => {
      const { description, isRequired, choices } = input[name] as Field;
      const spec = { description: wordsOf(description), ...(choices && { choices }) };
      return [name, isRequired ? spec : { ...spec, isOptional: true }];
    });
    return { ...this.argsOfPath(), ...Object.fromEntries(ofInput) };
  }

  /** The project and the organization of a command are chosen by its options, unless it is about one of them. */
  private argsOfPath(): Args {
    const named = this.ids.flatMap((id): [string, ArgumentSpec][] => {
      const noun = nounOf(id);
      if (!this.isChosen(id)) {
        return [[argumentOf(id), { description: `${id in NAMED ? 'ID or name' : 'ID'} of the ${noun}` }]];
      }
      if (!this.isSubject(id)) return [];
      if (this.about.verb === 'DELETE') return [[noun, { description: `ID or name of the ${noun}` }]];
      return [[noun, { description: `ID or name of the ${noun} (default: the current one)`, isOptional: true }]];
    });
    return Object.fromEntries(named);
  }

  example(): string {
    const { verb, input = {} } = this.about;
    const ofPath = Object.keys(this.argsOfPath()).map((name) => (name.endsWith('-id') ? '0197b6a0-…' : 'shop'));
    const needed = Object.keys(this.fields).filter((name) => input[name]?.isRequired);
    // A change needs one field.
    const shown = needed.length === 0 && verb === 'PATCH' ? Object.keys(this.fields).slice(0, 1) : needed;
    const given = shown.map((name) => `--${flagOf(name)} ${exampleOf(input[name])}`);
    const ofInput = this.inArgs.map((name) => exampleOf(input[name]));
    return [...commandOf(this.operation), ...ofPath, ...ofInput, ...given, ...(this.asks() ? ['--yes'] : [])].join(' ');
  }

  async run(context: Context, args: Record<string, string>, given: Record<string, unknown>): Promise<void> {
    const { about, own } = this;
    const api = context.api(about.caller === 'operator' ? 'operator' : 'person');
    const [ids, named] = await this.idsOf(context, args);
    const input = await this.inputOf(context, args, given);
    if (about.rows !== undefined) {
      const shown = given as Values<typeof paging>;
      const found = api.list<object, string>(about.path, { ids, query: { ...input, limit: pageSize(shown) } });
      const rows = own.rows?.(context, found) ?? found;
      const empty = own.empty ?? `No ${dashed(this.operation.split('.')[0] ?? '').replaceAll('-', ' ')} match.`;
      return await context.out.list(rows, own.columns ?? columnsOf(about.rows), { limit: rowLimit(shown), empty });
    }
    if (about.isFile) {
      const { body } = await api.download(about.path, { ids, query: input });
      if (body !== null) await context.out.stream(body);
      return;
    }
    const send = async (more: object = {}) => {
      const sent = { ...input, ...more };
      if (about.verb === 'PATCH') requireChange(sent);
      const isBody = about.verb === 'POST' || about.verb === 'PATCH';
      const parts = { ids, ...(about.input && { [isBody ? 'body' : 'query']: sent }) };
      if (about.record !== undefined) return await api.call<object, string>(about.verb, about.path, parts);
      await api.run(about.verb, about.path, parts);
      return { ...(this.lastId(ids) !== undefined && { id: this.lastId(ids) }), [this.past().toLowerCase()]: true };
    };
    if (about.verb === 'GET') return await show(context, about.record ?? {}, await send(), own);
    const found = await this.find(context, { args, ids, named });
    if (own.confirm !== undefined || this.asks()) {
      await context.confirm(own.confirm?.(found, args) ?? this.question(args), given.yes === true);
    }
    const result = await (own.call?.(context, { args, options: given as never, found, send: send as never }) ?? send());
    this.report(context, result, found);
  }

  /** Returns the ids of the path, and the resource that one of them names. */
  private async idsOf(
    context: Context,
    args: Record<string, string>,
  ): Promise<[ids: Record<string, string>, named?: object]> {
    const ids: Record<string, string> = {};
    let named: object | undefined;
    for (const id of this.ids) {
      const given = args[argumentOf(id)];
      if (id in NAMED) {
        const resource = NAMED[id as keyof typeof NAMED];
        const one = await findByName<{ id: string; name: string }>(given ?? '', nounOf(id), context.client[resource]);
        ids[id] = one.id;
        if (this.operation.startsWith(`${resource}.`)) named = one;
      } else if (!this.isChosen(id)) ids[id] = given ?? '';
      else if (id === 'projectId')
        ids[id] = await (this.isSubject(id) ? context.choosing({ project: args.project }) : context).projectId();
      else
        ids[id] = await (this.isSubject(id) ? context.choosing({ org: args.organization }) : context).organizationId();
    }
    return [ids, named];
  }

  private async inputOf(
    context: Context,
    args: Record<string, string>,
    given: Record<string, unknown>,
  ): Promise<Record<string, unknown>> {
    const input: Record<string, unknown> = {};
    for (const name of this.inArgs) input[name] = args[name];
    for (const [name, field] of Object.entries(this.fields)) input[name] = await field.read(given, context);
    if (this.own.call === undefined) requireFields(this.about.input ?? {}, input);
    return input;
  }

  private async find(
    context: Context,
    { args, ids, named }: { args: Record<string, string>; ids: Record<string, string>; named: object | undefined },
  ): Promise<object> {
    const { own, operation } = this;
    if (own.find !== undefined) return await own.find(context, args);
    const get = `${operation.split('.')[0]}.get`;
    if (named !== undefined) return named;
    if (own.confirm === undefined || !(get in OPERATIONS)) return { id: this.lastId(ids) };
    return await context.api('person').call('GET', OPERATIONS[get as OperationName].path, { ids });
  }

  private lastId(ids: Record<string, string>): string | undefined {
    return this.ids
      .filter((id) => !this.isChosen(id) || this.isSubject(id))
      .map((id) => ids[id])
      .at(-1);
  }

  private past(): string {
    const [word = ''] = commandOf(this.operation)[1].split('-');
    return PAST[word] ?? 'Done';
  }

  /** What the command does or has done: "the secret of the destination shop 0197…". */
  private subject(args: readonly string[]): string {
    const [, ...part] = commandOf(this.operation)[1].split('-');
    const whole = ['the', nounOf(this.operation.split('.')[0] ?? ''), ...args].join(' ');
    return part.length === 0 ? whole : `the ${part.join(' ')} of ${whole}`;
  }

  private question(args: Record<string, string>): string {
    if (Object.keys(args).length === 0) return `${firstClause(this.about.summary)}?`;
    const [word = ''] = commandOf(this.operation)[1].split('-');
    return `${word.charAt(0).toUpperCase()}${word.slice(1)} ${this.subject(Object.values(args))}?`;
  }

  private report(context: Context, result: { id?: string }, found: object & { id?: string }): void {
    const { own, about } = this;
    const id = result.id ?? found.id;
    const past = this.past();
    const words =
      own.done?.(result, found) ??
      (past === 'Done' ? 'Done.' : `${past} ${this.subject(id === undefined ? [] : [id])}.`);
    const secret = own.done === undefined ? secretOf(about.record) : undefined;
    const data = own.data === undefined ? secret && (result as Record<string, string>)[secret] : own.data(result);
    context.out.done(result, words, data ?? undefined);
    if (context.out.isJson) return;
    own.after?.(context, result, found);
    if (own.done === undefined && about.record !== undefined && data === undefined)
      show(context, about.record, result, own);
  }
}

/** Shows an answer: its fields, and a table for each list of objects in it. */
async function show(context: Context, answer: Answer, result: object, own: AnyOwn): Promise<void> {
  const { out } = context;
  const secret = secretOf(answer);
  if (secret !== undefined && own.columns === undefined) {
    out.value(result, String((result as Record<string, unknown>)[secret]));
    return own.after?.(context, result, result);
  }
  const fields = own.columns ?? columnsOf(answer, true);
  if (out.isJson || own.columns !== undefined) return out.record(result, fields);
  const tables = Object.entries(answer).flatMap(([name, kind]) =>
    Array.isArray(kind)
      ? [{ name, item: kind[0] as Answer | string, rows: (result as Record<string, object[]>)[name] ?? [] }]
      : [],
  );
  const [only] = tables;
  if (only !== undefined && Object.keys(answer).length === 1) {
    const columns =
      typeof only.item === 'string' ? [{ header: only.name.toUpperCase(), value: String }] : columnsOf(only.item);
    return await out.list<object>(only.rows, columns, { limit: undefined, empty: 'There are none.' });
  }
  if (fields.length > 0) out.record(result, fields);
  for (const { name, item, rows } of tables) {
    if (typeof item !== 'string')
      out.table(dashed(name).replaceAll('-', ' ').toUpperCase(), nounOf(name), rows, columnsOf(item));
  }
}

/** Returns the field that a person wants alone: a secret, or the only one that is a text. */
function secretOf(answer: Answer = {}): string | undefined {
  const [only, ...others] = Object.keys(answer);
  if (answer.secret === 'text') return 'secret';
  return only !== undefined && others.length === 0 && answer[only] === 'text' ? only : undefined;
}

function argumentOf(id: string): string {
  return id in NAMED ? nounOf(id) : dashed(id === 'orgId' ? 'organizationId' : id);
}

/** Returns what a sentence says first: "Get a tunnel" of "Get a tunnel; its URL …". */
function firstClause(sentence: string): string {
  return sentence.split(/[;,.] |\.$/)[0] ?? sentence;
}

function exampleOf({ example, choices = [], kind }: Field = { kind: 'text', description: '' }): string {
  const text = example ?? choices[0] ?? (kind === 'id' ? '0197b6a0-…' : '…');
  return /^[\w@.:/…-]+$/.test(text) ? text : `"${text}"`;
}
