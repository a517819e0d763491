import { changeProfile } from '@/lib/cli/config/settings';
import type { Context } from '@/lib/cli/context';
import { flag } from '@/lib/cli/options';
import { columns } from '@/lib/cli/output/column';
import { route } from '@/lib/cli/routes/route-command';
import { command, type GroupSpec } from '@/lib/cli/spec';
import type { ListedProject, Member, Organization } from '@/lib/orgs/schema';

/** Makes an organization the one of the session and of the profile. The project of the profile is forgotten: it is elsewhere. */
async function switchOrganization(context: Context, organizationId: string): Promise<void> {
  const { access } = context;
  if (access.kind === 'session') await access.session.switchOrganization(organizationId);
  await changeProfile(context, { organizationId, projectId: undefined });
}

/** `eds members list`, which is `eds orgs members` too. */
export const members = route('members.list', {
  columns: columns<Member>({ header: 'USER ID', value: ({ userId }) => userId, kind: 'id' }, 'email', 'name', 'role', {
    header: 'JOINED',
    value: ({ createdAt }) => createdAt,
    kind: 'time',
    spare: 1,
  }),
  empty: 'The organization has no members.',
  examples: { 'orgs members --org Acme': 'List the members of the organization Acme.' },
});

export const orgs: GroupSpec = {
  summary: 'Create and switch organizations, and list their members.',
  commands: {
    list: route('organizations.list', {
      columns: columns<Organization>('id', 'name', 'role', 'createdAt'),
      empty: 'You aren’t in any organizations. Create one: eds orgs create <name>',
      examples: { 'orgs list': 'List your organizations and your role in each.' },
    }),
    use: command({
      summary: 'Set the default organization.',
      args: { organization: { description: 'ID or name of the organization' } },
      examples: { 'orgs use Acme': 'Switch to an organization by name.' },
      run: async (context, { args }) => {
        const id = await context.choosing({ org: args.organization }).organizationId();
        const organization = await context.client.organizations.get(id);
        await switchOrganization(context, organization.id);
        context.out.done(organization, `Commands now use the organization ${organization.name}.`);
      },
    }),
    create: route('organizations.create', {
      summary: 'Create an organization. You become its owner.',
      options: { use: flag('--use', 'make it the default organization') },
      examples: { 'orgs create Acme --use': 'Create an organization and use it.' },
      call: async (context, { options, send }) => {
        const organization = await send();
        if (options.use) await switchOrganization(context, organization.id);
        return organization;
      },
      done: ({ name, id }) => `Created the organization ${name} (${id}).`,
    }),
    members,
    delete: route('organizations.erase', {
      summary: 'Delete an organization with all its data. Its audit log is kept.',
      examples: { 'orgs delete Acme --yes': 'Delete an organization without confirmation.' },
      confirm: ({ name }) => `Delete the organization ${name} with all its data? This can’t be undone.`,
      call: async (context, { found: { id }, send }) => {
        await send();
        const isCurrent = context.profile.organizationId === id;
        if (isCurrent) await changeProfile(context, { organizationId: undefined, projectId: undefined });
        return { id, deleted: true };
      },
      done: (_result, { name }) => `Deleted the organization ${name}.`,
    }),
  },
};

export const projects: GroupSpec = {
  summary: 'Create, switch and delete projects.',
  commands: {
    list: route('projects.list', {
      columns: columns<ListedProject>('id', 'name', 'createdAt'),
      empty: 'No projects yet. Create one: eds projects create <name>',
      examples: { 'projects list': 'List the current organization’s projects.' },
    }),
    use: command({
      summary: 'Set the default project.',
      args: { project: { description: 'ID or name of the project' } },
      examples: { 'projects use "My shop"': 'Switch to a project by name.' },
      run: async (context, { args: { project } }) => {
        const chosen = await context.client.projects.get(await context.choosing({ project }).projectId());
        await changeProfile(context, { projectId: chosen.id });
        context.out.done(chosen, `Commands now use the project ${chosen.name}.`);
      },
    }),
    create: route('projects.create', {
      summary: 'Create a project.',
      options: { use: flag('--use', 'make it the default project') },
      examples: { 'projects create "My shop" --use': 'Create a project and use it.' },
      call: async (context, { options, send }) => {
        const project = await send();
        if (options.use) await changeProfile(context, { projectId: project.id });
        return project;
      },
      done: ({ name, id }) => `Created the project ${name} (${id}).`,
    }),
    delete: route('projects.remove', {
      summary: 'Delete a project and all its data.',
      examples: { 'projects delete "Old shop" --yes': 'Delete a project without confirmation.' },
      confirm: ({ name }) => `Delete the project ${name} with its events, endpoints and keys?`,
      call: async (context, { found: { id }, send }) => {
        await send();
        if (context.profile.projectId === id) await changeProfile(context, { projectId: undefined });
        return { id, deleted: true };
      },
      done: (_result, { name }) => `Deleted the project ${name}.`,
    }),
  },
};
