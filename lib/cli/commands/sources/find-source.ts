import type { Context } from '@/lib/cli/context';
import { findByName } from '@/lib/cli/session/find-by-name';
import { projectOptions } from '@/lib/cli/session/project-options';
import type { Source } from '@/lib/incoming/schema';

/** The argument that names a source. */
export const SOURCE = { description: 'ID or name of the source' };

/** Returns the source of the project with an id or a name. @throws CliError when there is none */
export async function findSource(context: Context, given: string): Promise<Source> {
  const { sources } = context.client;
  const options = await projectOptions(context);
  return await findByName(given, {
    kind: 'source',
    list: 'eds sources list',
    get: (id) => sources.get(id, options),
    all: () => sources.list({ limit: 100 }, options),
  });
}
