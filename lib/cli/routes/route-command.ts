import type { Context } from '@/lib/cli/context';
import { OPERATIONS } from '@/lib/cli/generated/operations';
import { pageSize, paging, requireChange, rowLimit, yes } from '@/lib/cli/options';
import { type Column, columnsOf } from '@/lib/cli/output/column';
import { endpointIdOf, findByName } from '@/lib/cli/session/choose';
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
import type { Api } from '@/lib/client/api';
import type { Resources } from '@/lib/client/generated/resources';
import type { ListRequest } from '@/lib/client/list-request';
import { type FieldOptions, optionsOf, requireFields, wordsOf } from './field-options';
import {
  ASKS,
  actionOf,
  argumentNameOf,
  CAN_PAUSE,
  CUSTOMER,
  capitalized,
  commandOf,
  dashed,
  ENDPOINT,
  EXAMPLES,
  firstClause,
  flagOf,
  headingOf,
  NAMED,
  nounOf,
  SECRET,
  subjectOf,
} from './names';
import type { Field, Operation } from './operation';
import { secretOf, showAnswer } from './show-answer';

interface ListParts {
  ids: Record<string, string>;
  input: object;
  shown: Values<typeof paging>;
}

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
  /** Names that still work. The help does not show them. */
  oldNames?: readonly string[];
  /** Returns the rows of a list with more than the API answers. */
  rows?(context: Context, rows: ListRequest<A>): AsyncIterable<Row>;
  /** Finds what an action is about. By default the resource, if it is named or there is a question. */
  find?(context: Context, args: Record<string, string>): Promise<F>;
  /** The question before an action. */
  confirm?(found: F, args: Record<string, string>): string;
  call?(context: Context, given: Given<X, I, F, A extends object ? A : { id: string }>): Promise<R>;
  /** Says what was done. */
  done?(result: R, found: F): string;
  /** What goes to standard output, alone in a line. */
  data?(result: R): string | null | undefined;
  /** Shows the result, in place of what was done. */
  show?(context: Context, result: R, options: Values<X>): void;
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
  const { summary, details, examples, fields, oldNames } = own;
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
    ...(oldNames !== undefined && { oldNames }),
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
    const needed = Object.keys(input).filter((name) => input[name]?.isRequired && !SECRET.test(name));
    this.inArgs = own.args ?? (needed.length === 1 && (verb === 'POST' || verb === 'GET') ? needed : []);
    const names = (own.fields ?? Object.keys(input)).filter(
      (name) => !this.inArgs.includes(name) && !own.without?.includes(name),
    );
    this.fields = Object.fromEntries(names.map((name) => [name, this.optionsOf(name, input[name] as Field)]));
  }

  options(): Options {
    const options: Options = Object.assign({}, ...Object.values(this.fields).map((field) => field.options));
    return { ...options, ...this.own.options, ...(this.about.rows && paging), ...(this.asks() && { yes }) };
  }

  /** Whether a person is asked first. What is read or changed, and can be changed back, needs no question. */
  private asks(): boolean {
    const { verb } = this.about;
    return (
      this.own.confirm !== undefined || (verb !== 'GET' && verb !== 'PATCH' && ASKS.test(actionOf(this.operation).verb))
    );
  }

  private optionsOf(name: string, field: Field): FieldOptions {
    const own = this.own.options?.[name];
    return own === undefined
      ? optionsOf(name, field, this.about.verb, CAN_PAUSE.test(this.operation))
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
      return [argumentNameOf(name), isRequired ? spec : { ...spec, isOptional: true }];
    });
    return { ...this.argsOfPath(), ...Object.fromEntries(ofInput) };
  }

  /** The project and the organization of a command are chosen by its options, unless it is about one of them. */
  private argsOfPath(): Args {
    const named = this.ids.flatMap((id): [string, ArgumentSpec][] => {
      const noun = nounOf(id);
      if (!this.isChosen(id)) {
        const names = id in NAMED ? 'ID or name' : id === CUSTOMER || id === ENDPOINT ? 'ID or uid' : 'ID';
        return [[argumentOf(id), { description: `${names} of the ${noun}` }]];
      }
      if (!this.isSubject(id)) return [];
      if (this.about.verb === 'DELETE') return [[noun, { description: `ID or name of the ${noun}` }]];
      return [[noun, { description: `ID or name of the ${noun} (default: the current one)`, isOptional: true }]];
    });
    return Object.fromEntries(named);
  }

  example(): string {
    const { verb, input = {} } = this.about;
    const ofPath = Object.keys(this.argsOfPath()).map((name) => EXAMPLES[name] ?? '0197b6a0-…');
    const needed = Object.keys(this.fields).filter((name) => input[name]?.isRequired);
    // A change needs one field.
    const shown = needed.length === 0 && verb === 'PATCH' ? Object.keys(this.fields).slice(0, 1) : needed;
    const given = shown.map((name) => `--${flagOf(name)} ${exampleOf(name, input[name])}`);
    const ofInput = this.inArgs.map((name) => exampleOf(name, input[name]));
    return [...commandOf(this.operation), ...ofPath, ...ofInput, ...given, ...(this.asks() ? ['--yes'] : [])].join(' ');
  }

  async run(context: Context, args: Record<string, string>, given: Record<string, unknown>): Promise<void> {
    const { about, own } = this;
    const [ids, named] = await this.idsOf(context, args);
    const input = await this.inputOf(context, args, given);
    if (about.rows !== undefined)
      return await this.list(context, { ids, input, shown: given as Values<typeof paging> });
    if (about.isFile) return await this.download(context, { ids, query: input });
    const send = (more?: object) => this.send(context, ids, { ...input, ...more });
    if (about.verb === 'GET') return await this.show(context, await send());
    const found = await this.find(context, { args, ids, named });
    if (this.asks()) await context.confirm(own.confirm?.(found, args) ?? this.question(args), given.yes === true);
    const result = await (own.call?.(context, { args, options: given as never, found, send }) ?? send());
    if (own.show === undefined) await this.report(context, result, found);
    else own.show(context, result, given as never);
  }

  private api(context: Context): Api {
    return context.api(this.about.caller === 'operator' ? 'operator' : 'person');
  }

  private async list(context: Context, { ids, input, shown }: ListParts): Promise<void> {
    const { own, operation, about } = this;
    const query: Record<string, unknown> = { ...input, limit: pageSize(shown) };
    const found = this.api(context).list<object, string>(about.path, { ids, query });
    const columns = (own.columns ?? columnsOf(about.rows ?? {})).filter(
      ({ of }) => of === undefined || query[of] !== undefined,
    );
    const empty = own.empty ?? `No ${headingOf(operation.split('.')[0] ?? '').toLowerCase()} match.`;
    await context.out.list(own.rows?.(context, found) ?? found, columns, { limit: rowLimit(shown), empty });
  }

  private async download(context: Context, parts: { ids: Record<string, string>; query: object }): Promise<void> {
    const { body } = await this.api(context).download(this.about.path, parts);
    if (body !== null) await context.out.stream(body);
  }

  /** Sends the request. @returns the answer; without one, what was done to which resource */
  private async send(context: Context, ids: Record<string, string>, input: Record<string, unknown>): Promise<object> {
    const { verb, path, record } = this.about;
    if (verb === 'PATCH') requireChange(input);
    const isBody = verb === 'POST' || verb === 'PATCH';
    const parts = { ids, ...(this.about.input && { [isBody ? 'body' : 'query']: input }) };
    if (record !== undefined) return await this.api(context).call<object, string>(verb, path, parts);
    await this.api(context).run(verb, path, parts);
    const id = this.lastId(ids);
    return { ...(id !== undefined && { id }), [actionOf(this.operation).past ?? 'done']: true };
  }

  private async show(context: Context, result: object): Promise<void> {
    const { own, about } = this;
    if (own.columns === undefined) await showAnswer(context, about.record ?? {}, result);
    else context.out.record(result, own.columns);
    own.after?.(context, result, result);
  }

  /** Returns the ids of the path, and the resource that one of them names. */
  private async idsOf(
    context: Context,
    args: Record<string, string>,
  ): Promise<[ids: Record<string, string>, named?: object]> {
    const ids: Record<string, string> = {};
    let named: object | undefined;
    const chosen = this.chosenBy(args, context);
    for (const id of this.ids) {
      const given = args[argumentOf(id)];
      if (id in NAMED) {
        const resource = NAMED[id as keyof typeof NAMED];
        const one = await findByName<{ id: string; name: string }>(given ?? '', nounOf(id), context.client[resource]);
        ids[id] = one.id;
        if (this.operation.startsWith(`${resource}.`)) named = one;
      } else if (id === ENDPOINT) ids[id] = await endpointIdOf(context, given ?? '');
      else if (!this.isChosen(id)) ids[id] = given ?? '';
      else if (id === 'projectId') ids[id] = await chosen.projectId();
      else ids[id] = await chosen.organizationId();
    }
    return [ids, named];
  }

  /** An argument says more than --project and --org, and those more than the profile. */
  private chosenBy({ project, organization }: Record<string, string>, context: Context): Context {
    if (project !== undefined) return context.choosing({ project });
    return organization === undefined ? context : context.choosing({ org: organization });
  }

  private async inputOf(
    context: Context,
    args: Record<string, string>,
    given: Record<string, unknown>,
  ): Promise<Record<string, unknown>> {
    const input: Record<string, unknown> = {};
    for (const name of this.inArgs) input[name] = args[argumentNameOf(name)];
    for (const [name, field] of Object.entries(this.fields)) input[name] = await field.read(given, context);
    if (typeof input[ENDPOINT] === 'string') input[ENDPOINT] = await endpointIdOf(context, input[ENDPOINT]);
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

  private question(args: Record<string, string>): string {
    if (Object.keys(args).length === 0) return `${firstClause(this.about.summary)}?`;
    return `${capitalized(actionOf(this.operation).verb)} ${subjectOf(this.operation, Object.values(args))}?`;
  }

  private async report(context: Context, result: { id?: string }, found: { id?: string }): Promise<void> {
    const { own, about, operation } = this;
    const id = result.id ?? found.id;
    const { past } = actionOf(operation);
    const said =
      past === undefined ? 'Done.' : `${capitalized(past)} ${subjectOf(operation, id === undefined ? [] : [id])}.`;
    if (own.done !== undefined) context.out.done(result, own.done(result, found), own.data?.(result) ?? undefined);
    else context.out.done(result, said, secretOf(about.record ?? {}, result));
    if (context.out.isJson) return;
    if (own.done === undefined && secretOf(about.record ?? {}, result) === undefined && about.record !== undefined) {
      await showAnswer(context, about.record, result);
    }
    own.after?.(context, result, found);
  }
}

function argumentOf(id: string): string {
  return id in NAMED ? nounOf(id) : dashed(id === 'orgId' ? 'organizationId' : id);
}

function exampleOf(name: string, { example, choices = [] }: Partial<Field> = {}): string {
  const text = example ?? choices[0] ?? (/Ids?$/.test(name) ? '0197b6a0-…' : '…');
  return /^[\w@.:/…-]+$/.test(text) ? text : `"${text}"`;
}
