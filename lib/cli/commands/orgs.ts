import { changeProfile } from '@/lib/cli/config/settings';
import { Context } from '@/lib/cli/context';
import { flag } from '@/lib/cli/options';
import { columns } from '@/lib/cli/output/column';
import { action, list, remove } from '@/lib/cli/resource';
import type { GroupSpec } from '@/lib/cli/spec';
import type { ListedProject, Member, Organization, Project } from '@/lib/orgs/schema';

const PROJECT = { project: { description: 'ID or name of the project' } };

/** Makes an organization the one of the session and of the profile. The project of the profile is forgotten: it is elsewhere. */
async function switchOrganization(context: Context, organizationId: string): Promise<void> {
  const { access } = context;
  if (access.kind === 'session') await access.session.switchOrganization(organizationId);
  await changeProfile(context, { organizationId, projectId: undefined });
}

/** Returns what an argument names, in place of --org and --project. */
function chosenBy({ terminal, globals, signal }: Context, change: Partial<Context['globals']>): Context {
  return new Context(terminal, { ...globals, ...change }, signal);
}

async function findProject(context: Context, { project }: { project: string }): Promise<Project> {
  return await context.client.projects.get(await chosenBy(context, { project }).projectId());
}

export const orgs: GroupSpec = {
  summary: 'Create and switch organizations, and list their members.',
  commands: {
    list: list({
      summary: 'List your organizations.',
      columns: columns<Organization>('id', 'name', 'role', 'createdAt'),
      empty: 'You aren’t in any organizations. Create one: eds orgs create <name>',
      examples: { 'orgs list': 'List your organizations and your role in each.' },
      rows: ({ client }, query) => client.organizations.list(query),
    }),
    use: action({
      summary: 'Set the default organization.',
      args: { organization: { description: 'ID or name of the organization' } },
      examples: { 'orgs use Acme': 'Switch to an organization by name.' },
      call: async (context, { args }) => {
        const id = await chosenBy(context, { org: args.organization }).organizationId();
        const organization = await context.client.organizations.get(id);
        await switchOrganization(context, organization.id);
        return organization;
      },
      done: ({ name }) => `Commands now use the organization ${name}.`,
    }),
    create: action({
      summary: 'Create an organization. You become its owner.',
      args: { name: { description: 'name of the organization' } },
      options: { use: flag('--use', 'make it the default organization') },
      examples: { 'orgs create Acme --use': 'Create an organization and use it.' },
      call: async (context, { args, options }) => {
        const organization = await context.client.organizations.create(args);
        if (options.use) await switchOrganization(context, organization.id);
        return organization;
      },
      done: ({ name, id }) => `Created the organization ${name} (${id}).`,
    }),
    members: list({
      summary: 'List the members of the organization.',
      columns: columns<Member>(
        { header: 'USER ID', value: ({ userId }) => userId, kind: 'id' },
        'email',
        'name',
        'role',
        { header: 'JOINED', value: ({ createdAt }) => createdAt, kind: 'time', spare: 1 },
      ),
      empty: 'The organization has no members.',
      examples: { 'orgs members --org Acme': 'List the members of the organization Acme.' },
      rows: async function* (context, query) {
        yield* context.client.members.list(await context.organizationId(), query);
      },
    }),
  },
};

export const projects: GroupSpec = {
  summary: 'Create, switch and delete projects.',
  commands: {
    list: list({
      summary: 'List the projects of the organization.',
      columns: columns<ListedProject>('id', 'name', 'createdAt'),
      empty: 'No projects yet. Create one: eds projects create <name>',
      examples: { 'projects list': 'List the current organization’s projects.' },
      rows: async function* (context, query) {
        yield* context.client.projects.list(await context.organizationId(), query);
      },
    }),
    use: action({
      summary: 'Set the default project.',
      args: PROJECT,
      examples: { 'projects use "My shop"': 'Switch to a project by name.' },
      call: async (context, { args }) => {
        const project = await findProject(context, args);
        await changeProfile(context, { projectId: project.id });
        return project;
      },
      done: ({ name }) => `Commands now use the project ${name}.`,
    }),
    create: action({
      summary: 'Create a project.',
      args: { name: { description: 'name of the project' } },
      options: { use: flag('--use', 'make it the default project') },
      examples: { 'projects create "My shop" --use': 'Create a project and use it.' },
      call: async (context, { args, options }) => {
        const project = await context.client.projects.create(await context.organizationId(), args);
        if (options.use) await changeProfile(context, { projectId: project.id });
        return project;
      },
      done: ({ name, id }) => `Created the project ${name} (${id}).`,
    }),
    delete: remove({
      summary: 'Delete a project and all its data.',
      args: PROJECT,
      examples: { 'projects delete "Old shop" --yes': 'Delete a project without confirmation.' },
      find: findProject,
      confirm: ({ name }) => `Delete the project ${name} with its events, endpoints and keys?`,
      call: async (context, { id }) => {
        await context.client.projects.remove(id);
        if (context.profile.projectId === id) await changeProfile(context, { projectId: undefined });
      },
      done: ({ name }) => `Deleted the project ${name}.`,
    }),
  },
};
