import { CliError, EXIT } from '@/lib/cli/cli-error';
import type { Profile } from '@/lib/cli/config/settings';
import type { EventDeliveryClient } from '@/lib/client';
import type { Access } from './access';

/** An id of the API. */
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What a choice depends on. */
interface Chooser {
  access: Access;
  client: EventDeliveryClient;
  globals: { project: string | undefined; org: string | undefined };
  terminal: { env: NodeJS.ProcessEnv };
  profile: Profile;
  signal: AbortSignal;
}

interface Named {
  id: string;
  name: string;
}

/** Returns the id of the project of a command. @throws CliError when none is chosen, or its name fits none or several */
export async function chooseProject(context: Chooser): Promise<string> {
  const { access, client, globals, terminal, profile } = context;
  const given = globals.project ?? terminal.env.EDS_PROJECT;
  if (given && UUID.test(given)) return given;
  if (access.kind === 'key') {
    const { project } = await client.apiKeys.getOwn({ signal: context.signal });
    if (given && given.toLowerCase() !== project.name.toLowerCase()) throw otherProject(given, project);
    return project.id;
  }
  const isElsewhere = Boolean(globals.org ?? terminal.env.EDS_ORG);
  if (!given && profile.projectId !== undefined && !isElsewhere) return profile.projectId;
  const organizationId = await chooseOrganization(context);
  const options = { signal: context.signal };
  const kind = { kind: 'project', list: 'eds projects list' };
  const all = () => client.projects.list(organizationId, { limit: 100 }, options);
  if (!given) return await onlyOne(all(), 'project', 'projects', profile.projectId);
  return (await findByName(given, { ...kind, all, get: (id) => client.projects.get(id, options) })).id;
}

/** Returns the id of the organization of a command. @throws CliError as chooseProject */
export async function chooseOrganization(context: Chooser): Promise<string> {
  const { access, client, globals, terminal, profile } = context;
  const given = globals.org ?? terminal.env.EDS_ORG;
  if (given && UUID.test(given)) return given;
  if (!given && profile.organizationId !== undefined) return profile.organizationId;
  const current = access.kind === 'session' ? access.session.read().organizationId : null;
  if (!given && current !== null) return current;
  const options = { signal: context.signal };
  const kind = { kind: 'organization', list: 'eds orgs list' };
  const all = () => client.organizations.list({ limit: 100 }, options);
  if (!given) return await onlyOne(all(), 'organization', 'orgs');
  return (await findByName(given, { ...kind, all, get: (id) => client.organizations.get(id, options) })).id;
}

/**
 * Returns the id of the only item of a list, or of the one that the profile has chosen.
 * @param group the group of commands that lists and creates such items
 */
async function onlyOne(all: AsyncIterable<Named>, kind: string, group: string, chosenId?: string): Promise<string> {
  const found: Named[] = [];
  for await (const each of all) {
    if (each.id === chosenId) return each.id;
    found.push(each);
    if (found.length > 1 && chosenId === undefined) break;
  }
  const [only] = found;
  if (only !== undefined && found.length === 1) return only.id;
  const isMissing = only === undefined;
  throw new CliError({
    message: isMissing ? `You have no ${kind} yet.` : `Several ${kind}s exist. Choose one.`,
    code: `${kind}_required`,
    exitCode: isMissing ? EXIT.notFound : EXIT.usage,
    next: `eds ${group} ${isMissing ? 'create' : 'use'} <name>`,
  });
}

/** What a person named must not be replaced silently: a test event would reach the customers of another project. */
function otherProject(given: string, { id, name }: Named): CliError {
  return new CliError({
    message: `The API key doesn’t belong to the project “${given}”.`,
    reason: `It belongs to the project “${name}” (${id}).`,
    code: 'not_found',
    exitCode: EXIT.notFound,
    next: 'Use a key of that project, or leave out --project and EDS_PROJECT.',
  });
}

interface Lookup<T> {
  /** What it is, such as `source`. */
  kind: string;
  /** The command that lists all of them. */
  list: string;
  get(id: string): Promise<T>;
  all(): AsyncIterable<T>;
}

/**
 * Finds a resource by its id, or by its name regardless of case.
 * @throws CliError when no resource has the name, or several have
 */
export async function findByName<T extends { id: string; name: string }>(
  given: string,
  { kind, list, get, all }: Lookup<T>,
): Promise<T> {
  if (UUID.test(given)) return await get(given);
  const found: T[] = [];
  for await (const each of all()) {
    if (each.name.toLowerCase() === given.toLowerCase()) found.push(each);
    if (found.length > 1) break;
  }
  const [only] = found;
  if (only === undefined) {
    throw new CliError({
      message: `We couldn’t find the ${kind} “${given}”.`,
      code: 'not_found',
      exitCode: EXIT.notFound,
      next: list,
    });
  }
  if (found.length === 1) return only;
  throw new CliError({
    message: `Several ${kind}s are named “${given}”.`,
    code: 'ambiguous',
    exitCode: EXIT.usage,
    next: `Give its ID: ${list}`,
  });
}
