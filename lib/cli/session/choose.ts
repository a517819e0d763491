import { CliError } from '@/lib/cli/cli-error';
import type { Profile } from '@/lib/cli/config/settings';
import { EXIT } from '@/lib/cli/exit-codes';
import type { EventDeliveryClient } from '@/lib/client';
import type { Access } from './access';

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

/** An id of the API. */
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

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
  if (!given && profile.projectId !== undefined) return profile.projectId;
  const organizationId = await chooseOrganization(context);
  const projects = client.projects.list(organizationId, { limit: 100 }, { signal: context.signal });
  return await pick(projects, given || undefined, 'project', 'eds projects use <name>');
}

/** Returns the id of the organization of a command. @throws CliError as chooseProject */
export async function chooseOrganization(context: Chooser): Promise<string> {
  const { access, client, globals, terminal, profile } = context;
  const given = globals.org ?? terminal.env.EDS_ORG;
  if (given && UUID.test(given)) return given;
  if (!given && profile.organizationId !== undefined) return profile.organizationId;
  const current = access.kind === 'session' ? access.session.read().organizationId : null;
  if (!given && current !== null) return current;
  const organizations = client.organizations.list({ limit: 100 }, { signal: context.signal });
  return await pick(organizations, given || undefined, 'organization', 'eds orgs use <name>');
}

/** Finds by name, regardless of case. Without a name the only one there is. */
async function pick(all: AsyncIterable<Named>, name: string | undefined, kind: string, next: string): Promise<string> {
  const found: Named[] = [];
  for await (const each of all) {
    if (name === undefined || each.name.toLowerCase() === name.toLowerCase()) found.push(each);
    if (found.length > 1) break;
  }
  const [only] = found;
  if (only !== undefined && found.length === 1) return only.id;
  if (name !== undefined) throw notUnique(name, kind, found.length);
  const message = only === undefined ? `You have no ${kind} yet.` : `Several ${kind}s exist. Choose one.`;
  throw new CliError({
    message,
    code: `${kind}_required`,
    exitCode: only === undefined ? EXIT.notFound : EXIT.usage,
    next: only === undefined ? `eds ${kind === 'project' ? 'projects' : 'orgs'} create <name>` : next,
  });
}

/** What a person named must not be replaced silently: a test event would reach the customers of another project. */
function otherProject(given: string, { id, name }: Named): CliError {
  return new CliError({
    message: `The API key is not one of the project “${given}”.`,
    reason: `It belongs to the project “${name}” (${id}).`,
    code: 'not_found',
    exitCode: EXIT.notFound,
    next: 'Use a key of that project, or leave out --project and EDS_PROJECT.',
  });
}

function notUnique(name: string, kind: string, count: number): CliError {
  const list = `eds ${kind === 'project' ? 'projects' : 'orgs'} list`;
  if (count === 0) {
    const message = `We couldn’t find a ${kind} named “${name}”.`.replace('a organization', 'an organization');
    return new CliError({ message, code: 'not_found', exitCode: EXIT.notFound, next: list });
  }
  const message = `Several ${kind}s are named “${name}”.`;
  return new CliError({ message, code: 'ambiguous', exitCode: EXIT.usage, next: `Give its ID: ${list}` });
}
