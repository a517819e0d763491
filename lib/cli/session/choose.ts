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
  if (access.kind === 'key') return (await client.apiKeys.getOwn({ signal: context.signal })).project.id;
  // The project of the profile may belong to another organization than the one that the command names.
  const isElsewhere = Boolean(globals.org ?? terminal.env.EDS_ORG);
  if (!given && !isElsewhere && profile.projectId !== undefined) return profile.projectId;
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

function notUnique(name: string, kind: string, count: number): CliError {
  const list = `eds ${kind === 'project' ? 'projects' : 'orgs'} list`;
  if (count === 0) {
    const message = `We couldn’t find a ${kind} named “${name}”.`.replace('a organization', 'an organization');
    return new CliError({ message, code: 'not_found', exitCode: EXIT.notFound, next: list });
  }
  const message = `Several ${kind}s are named “${name}”.`;
  return new CliError({ message, code: 'ambiguous', exitCode: EXIT.usage, next: `Give its ID: ${list}` });
}
