import type { Context } from '@/lib/cli/context';
import { paging, yes } from '@/lib/cli/options';
import type { Column } from '@/lib/cli/output/column';
import { type ArgumentSpec, type CommandSpec, command, type Given, type OptionSpec } from '@/lib/cli/spec';
import type { EventDeliveryClient } from '@/lib/client';

type Args = Record<string, ArgumentSpec>;
type Options = Record<string, OptionSpec<unknown>>;

/** The options of a call in a project. */
type ProjectCall = Awaited<ReturnType<Context['projectOptions']>>;

/** What the help says about a command. */
interface Words {
  name?: string;
  summary: string;
  details?: string;
  examples: CommandSpec['examples'];
}

/** What the rows of a list are made from. */
interface ListGiven<A extends Args, O extends Options> extends Given<A, O> {
  /** The size of a page that suits what is shown. */
  page: { limit: number };
  /** The options of the call; `projectId` is empty unless the list is within a project. */
  call: ProjectCall;
  /** Empty unless the list is within an organization. */
  organizationId: string;
}

interface ListSpec<T, A extends Args, O extends Options> extends Words {
  within: 'project' | 'organization' | 'nothing';
  args?: A;
  options?: O;
  columns: Column<T>[];
  /** Said when there are no rows. */
  empty: string;
  /** Not a promise: the lists of the client are thenable, and `await` would reduce one to its first page. */
  rows(context: Context, given: ListGiven<A, O>): AsyncIterable<T>;
}

/** A command that lists rows, with --limit and --all. */
export function listCommand<
  T,
  const A extends Args = Record<never, ArgumentSpec>,
  const O extends Options = Record<never, OptionSpec<unknown>>,
>({ within, options, columns, empty, rows, ...words }: ListSpec<T, A, O>): CommandSpec {
  return command({
    name: 'list',
    ...words,
    options: { ...(options as Options | undefined), ...paging },
    run: async (context, given) => {
      const shown = given.options as { limit: number | undefined; all: boolean };
      const found = rows(context, {
        ...(given as unknown as Given<A, O>),
        page: { limit: context.pageSize(shown) },
        call: { projectId: within === 'project' ? await context.projectId() : '', signal: context.signal },
        organizationId: within === 'organization' ? await context.organizationId() : '',
      });
      await context.out.list(found, columns, { limit: context.rowLimit(shown), empty });
    },
  });
}

interface OneSpec<T, A extends Args> extends Words {
  args: A;
  /** Finds what the arguments name. @throws CliError or ApiError when there is none */
  find(context: Context, args: Given<A, unknown>['args'], project: ProjectCall): Promise<T>;
}

/** A command that shows the fields of one resource of the project. */
export function getCommand<T extends object, const A extends Args>({
  find,
  fields,
  ...words
}: OneSpec<T, A> & { fields: Column<T>[] }): CommandSpec {
  return command({
    name: 'get',
    ...words,
    run: async (context, { args }) => {
      context.out.record(await find(context, args, await context.projectOptions()), fields);
    },
  });
}

interface DeleteSpec<T, A extends Args> extends OneSpec<T, A> {
  question(found: T): string;
  remove(client: EventDeliveryClient, found: T, project: ProjectCall): Promise<void>;
  done(found: T): string;
}

/** A command that deletes one resource of the project, after a confirmation. */
export function deleteCommand<T extends { id: string }, const A extends Args>({
  find,
  question,
  remove,
  done,
  ...words
}: DeleteSpec<T, A>): CommandSpec {
  return command({
    name: 'delete',
    ...words,
    options: { yes },
    run: async (context, { args, options }) => {
      const project = await context.projectOptions();
      const found = await find(context, args, project);
      await context.confirm(question(found), options.yes);
      await remove(context.client, found, project);
      context.out.done({ id: found.id, deleted: true }, done(found));
    },
  });
}
