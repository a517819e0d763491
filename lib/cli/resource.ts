import type { Context } from './context';
import { pageSize, paging, rowLimit, yes } from './options';
import type { Column } from './output/column';
import {
  type Args,
  type CommandSpec,
  command,
  type Given,
  type NoArgs,
  type NoOptions,
  type Options,
  type Texts,
  type Values,
  type Words,
} from './spec';

// The commands that are the same for each resource. What differs is described: the call of the client, and words. Options have the
// names and types of the API's fields; their words are for a terminal, and are not those of the schemas. Reading the schemas would
// also bring zod into a bundle that must start fast.

interface ListSpec<T, A extends Args, O extends Options> extends Words {
  args?: A;
  options?: O;
  columns: Column<T>[];
  /** Said when there are no rows. */
  empty: string;
  /**
   * @param query the options, and the size of a page that suits what is shown
   * @returns not a promise: the lists of the client are thenable, and `await` would reduce one to its first page
   */
  rows(context: Context, query: Values<O> & { limit: number }, args: Texts<A>): AsyncIterable<T>;
}

/** A command that lists rows, with --limit and --all. */
export function list<T, const A extends Args = NoArgs, const O extends Options = NoOptions>(
  spec: ListSpec<T, A, O>,
): CommandSpec {
  const { options, columns, empty, rows, ...words } = spec;
  return command({
    ...words,
    options: { ...options, ...paging } as Options & typeof paging,
    run: async (context, given) => {
      const { limit, all, ...query } = given.options;
      const shown = { limit, all };
      const found = rows(
        context,
        { ...(query as Values<O>), limit: pageSize(shown) },
        given.args as unknown as Texts<A>,
      );
      await context.out.list(found, columns, { limit: rowLimit(shown), empty });
    },
  });
}

interface GetSpec<T, A extends Args> extends Words {
  args?: A;
  find(context: Context, args: Texts<A>): Promise<T>;
  fields: Column<T>[];
}

/** A command that shows the fields of one resource. */
export function get<T extends object, const A extends Args = NoArgs>({
  find,
  fields,
  ...words
}: GetSpec<T, A>): CommandSpec {
  return command({
    ...words,
    run: async (context, { args }) => context.out.record(await find(context, args), fields),
  });
}

interface ActionSpec<F, R extends object, A extends Args, O extends Options> extends Words {
  args?: A;
  options?: O;
  /** Finds what the arguments name. */
  find?(context: Context, args: Texts<A>): Promise<F>;
  /** The question before it is done; the command then has --yes. */
  confirm?(found: F, args: Texts<A>): string;
  /** @returns the result, which --json shows */
  call(context: Context, given: Given<A, O> & { found: F }): Promise<R>;
  /** Says what was done. */
  done(result: R, found: F): string;
  /** What goes to standard output, alone in a line. */
  data?(result: R): string | null | undefined;
  /** Says more to a person. */
  after?(context: Context, result: R, found: F): void;
}

/** A command that creates or changes something, and says what it did. */
export function action<
  R extends object,
  F = undefined,
  const A extends Args = NoArgs,
  const O extends Options = NoOptions,
>({ find, confirm, call, done, data, after, options, ...words }: ActionSpec<F, R, A, O>): CommandSpec {
  return command({
    ...words,
    options: { ...options, ...(confirm && { yes }) } as O & { yes?: typeof yes },
    run: async (context, given) => {
      const { yes: isConfirmed = false, ...others } = given.options as { yes?: boolean };
      const args = given.args as unknown as Texts<A>;
      const options = others as Values<O>;
      const found = (await find?.(context, args)) as F;
      if (confirm !== undefined) await context.confirm(confirm(found, args), isConfirmed);
      const result = await call(context, { args, options, found });
      context.out.done(result, done(result, found), data?.(result) ?? undefined);
      if (!context.out.isJson) after?.(context, result, found);
    },
  });
}

type RemoveSpec<F, A extends Args> = Omit<ActionSpec<F, { id: string }, A, NoOptions>, 'call' | 'done'> & {
  args: A;
  find(context: Context, args: Texts<A>): Promise<F>;
  confirm(found: F): string;
  call(context: Context, found: F): Promise<void>;
  done(found: F): string;
};

/** A command that deletes one resource, after a confirmation. */
export function remove<F extends { id: string }, const A extends Args>(spec: RemoveSpec<F, A>): CommandSpec {
  const { call, done, ...words } = spec;
  return action({
    ...words,
    call: async (context, { found }) => {
      await call(context, found);
      return { id: found.id, deleted: true };
    },
    done: (_result, found) => done(found),
  });
}
