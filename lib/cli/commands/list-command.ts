import type { Context } from '@/lib/cli/context';
import { paging } from '@/lib/cli/options';
import type { Column } from '@/lib/cli/output/column';
import { type CommandSpec, command, type Given, type OptionSpec } from '@/lib/cli/spec';

type Options = Record<string, OptionSpec<unknown>>;

/** What a list is made from. */
interface ListGiven<O extends Options> {
  options: Given<unknown, O>['options'];
  /** The size of a page that suits what is shown. */
  page: { limit: number };
  /** The options of the call; `projectId` is empty unless the list is within a project. */
  call: { projectId: string; signal: AbortSignal };
  /** Empty unless the list is within an organization. */
  organizationId: string;
}

interface ListSpec<T, O extends Options> {
  name?: string;
  summary: string;
  within: 'project' | 'organization' | 'nothing';
  options?: O;
  columns: Column<T>[];
  /** Said when there are no rows. */
  empty: string;
  examples: CommandSpec['examples'];
  /** Not async: the lists of the client are thenable, and `await` would reduce one to its first page. */
  rows(context: Context, given: ListGiven<O>): AsyncIterable<T>;
}

/** A command that lists rows, with --limit and --all. */
export function listCommand<T, const O extends Options = Record<never, OptionSpec<unknown>>>({
  name = 'list',
  summary,
  within,
  options,
  columns,
  empty,
  examples,
  rows,
}: ListSpec<T, O>): CommandSpec {
  return command({
    name,
    summary,
    options: { ...(options as Options | undefined), ...paging },
    examples,
    run: async (context, given) => {
      const shown = given.options as { limit: number | undefined; all: boolean };
      const found = rows(context, {
        options: given.options as Given<unknown, O>['options'],
        page: { limit: context.pageSize(shown) },
        call: { projectId: within === 'project' ? await context.projectId() : '', signal: context.signal },
        organizationId: within === 'organization' ? await context.organizationId() : '',
      });
      await context.out.list(found, columns, { limit: context.rowLimit(shown), empty });
    },
  });
}
