import { changeProfile } from '@/lib/cli/config/settings';
import { Context } from '@/lib/cli/context';
import { flag } from '@/lib/cli/options';
import { command, type GroupSpec } from '@/lib/cli/spec';
import { listCommand } from './resource';

const listOrganizations = listCommand({
  summary: 'List your organizations.',
  within: 'nothing',
  columns: [
    { header: 'ID', value: ({ id }) => id, kind: 'id' },
    { header: 'NAME', value: ({ name }) => name },
    { header: 'ROLE', value: ({ role }) => role },
    { header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time' },
  ],
  empty: 'You aren’t in any organizations. Create one: eds orgs create <name>',
  examples: [{ line: 'orgs list', does: 'List your organizations and your role in each.' }],
  rows: ({ client }, { page, call }) => client.organizations.list(page, call),
});

const useOrganization = command({
  name: 'use',
  summary: 'Set the default organization.',
  args: { organization: { description: 'ID or name of the organization' } },
  examples: [{ line: 'orgs use Acme', does: 'Switch to an organization by name.' }],
  run: async (context, { args }) => {
    const { terminal, globals, signal, client } = context;
    const chosen = new Context(terminal, { ...globals, org: args.organization }, signal);
    const organization = await client.organizations.get(await chosen.organizationId(), { signal });
    await switchOrganization(context, organization.id);
    context.out.done(organization, `Commands now use the organization ${organization.name}.`);
  },
});

/** Makes an organization the one of the session and of the profile. The project of the profile is forgotten: it is elsewhere. */
async function switchOrganization(context: Context, organizationId: string): Promise<void> {
  const { access } = context;
  if (access.kind === 'session') await access.session.switchOrganization(organizationId);
  await changeProfile(context, { organizationId, projectId: undefined });
}

const createOrganization = command({
  name: 'create',
  summary: 'Create an organization. You become its owner.',
  args: { name: { description: 'name of the organization' } },
  options: { use: flag('--use', 'make it the default organization') },
  examples: [{ line: 'orgs create Acme --use', does: 'Create an organization and use it.' }],
  run: async (context, { args, options }) => {
    const organization = await context.client.organizations.create({ name: args.name }, { signal: context.signal });
    if (options.use) await switchOrganization(context, organization.id);
    context.out.done(organization, `Created the organization ${organization.name} (${organization.id}).`);
  },
});

const listMembers = listCommand({
  name: 'members',
  summary: 'List the members of the organization.',
  within: 'organization',
  columns: [
    { header: 'USER ID', value: ({ userId }) => userId, kind: 'id' },
    { header: 'EMAIL', value: ({ email }) => email },
    { header: 'NAME', value: ({ name }) => name },
    { header: 'ROLE', value: ({ role }) => role },
    { header: 'JOINED', value: ({ createdAt }) => createdAt, kind: 'time', spare: 1 },
  ],
  empty: 'The organization has no members.',
  examples: [{ line: 'orgs members --org Acme', does: 'List the members of the organization Acme.' }],
  rows: ({ client }, { page, call, organizationId }) => client.members.list(organizationId, page, call),
});

export const orgs: GroupSpec = {
  name: 'orgs',
  summary: 'Create and switch organizations, and list their members.',
  commands: [listOrganizations, useOrganization, createOrganization, listMembers],
};
