import { CliError, EXIT } from '@/lib/cli/cli-error';
import type { Profile } from '@/lib/cli/config/settings';
import type { EventDeliveryClient } from '@/lib/client';
import type { Access } from './access';

/** An id of the API. */
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const MAX_PAGE = 100;

/** What a choice depends on. */
interface Chooser {
  access: Access;
  client: EventDeliveryClient;
  globals: { project: string | undefined; org: string | undefined };
  terminal: { env: NodeJS.ProcessEnv };
  profile: Profile;
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
    const { project } = await client.apiKeys.getOwn();
    if (given && given.toLowerCase() !== project.name.toLowerCase()) throw otherProject(given, project);
    return project.id;
  }
  const isElsewhere = Boolean(globals.org ?? terminal.env.EDS_ORG);
  if (!given && profile.projectId !== undefined && !isElsewhere) return profile.projectId;
  const organizationId = await chooseOrganization(context);
  const list = (query: { limit: number }) => client.projects.list(organizationId, query);
  if (!given) return await onlyOne(list({ limit: MAX_PAGE }), 'project', profile.projectId);
  return (await findByName(given, 'project', { list, get: client.projects.get })).id;
}

/** Returns the id of the organization of a command. @throws CliError as chooseProject */
export async function chooseOrganization(context: Chooser): Promise<string> {
  const { access, client, globals, terminal, profile } = context;
  const given = globals.org ?? terminal.env.EDS_ORG;
  if (given && UUID.test(given)) return given;
  if (!given && profile.organizationId !== undefined) return profile.organizationId;
  const current = access.kind === 'session' ? access.session.read().organizationId : null;
  if (!given && current !== null) return current;
  if (!given) return await onlyOne(client.organizations.list({ limit: MAX_PAGE }), 'organization');
  return (await findByName(given, 'organization', client.organizations)).id;
}

/** The group of commands for a kind of resource. */
const groupOf = (kind: string) => (kind === 'organization' ? 'orgs' : `${kind}s`);

/** Returns the id of the only item of a list, or of the one that the profile has chosen. */
async function onlyOne(all: AsyncIterable<Named>, kind: string, chosenId?: string): Promise<string> {
  const found: Named[] = [];
  for await (const each of all) {
    if (each.id === chosenId) return each.id;
    found.push(each);
    if (found.length > 1 && chosenId === undefined) break;
  }
  const [only] = found;
  if (only !== undefined && found.length === 1) return only.id;
  const isMissing = only === undefined;
  throw new CliError(
    isMissing ? `You have no ${kind} yet.` : `Several ${kind}s exist. Choose one.`,
    `${kind}_required`,
    {
      exitCode: isMissing ? EXIT.notFound : EXIT.usage,
      next: `eds ${groupOf(kind)} ${isMissing ? 'create' : 'use'} <name>`,
    },
  );
}

/** What a person named must not be replaced silently: a test event would reach the customers of another project. */
function otherProject(given: string, { id, name }: Named): CliError {
  return new CliError(`The API key doesn’t belong to the project “${given}”.`, 'not_found', {
    reason: `It belongs to the project “${name}” (${id}).`,
    exitCode: EXIT.notFound,
    next: 'Use a key of that project, or leave out --project and EDS_PROJECT.',
  });
}

/**
 * Finds a resource by its id, or by its name regardless of case.
 * @param kind such as `source`
 * @throws CliError when no resource has the name, or several have
 */
export async function findByName<T extends Named>(
  given: string,
  kind: string,
  { get, list }: { get(id: string): Promise<T>; list(query: { limit: number }): AsyncIterable<T> },
): Promise<T> {
  if (UUID.test(given)) return await get(given);
  const found: T[] = [];
  for await (const each of list({ limit: MAX_PAGE })) {
    if (each.name.toLowerCase() === given.toLowerCase()) found.push(each);
    if (found.length > 1) break;
  }
  const [only] = found;
  const next = `eds ${groupOf(kind)} list`;
  if (only === undefined) {
    throw new CliError(`We couldn’t find the ${kind} “${given}”.`, 'not_found', { exitCode: EXIT.notFound, next });
  }
  if (found.length === 1) return only;
  throw new CliError(`Several ${kind}s are named “${given}”.`, 'ambiguous', {
    exitCode: EXIT.usage,
    next: `Give its ID: ${next}`,
  });
}

/**
 * Returns the id of an endpoint that is given by its id or its uid.
 * @throws CliError when no endpoint has the uid
 */
export async function endpointIdOf({ client }: Pick<Chooser, 'client'>, given: string): Promise<string> {
  if (UUID.test(given)) return given;
  const { data } = await client.endpoints.list({ uid: given, limit: 1 });
  const [found] = data;
  if (found !== undefined) return found.id;
  throw new CliError(`No endpoint has the uid “${given}”.`, 'not_found', {
    exitCode: EXIT.notFound,
    next: 'eds endpoints list',
  });
}
