import { listCommand } from '@/lib/cli/commands/list-command';
import { text, yes } from '@/lib/cli/options';
import { command, type GroupSpec } from '@/lib/cli/spec';

const listOrganizations = listCommand({
  summary: 'List all organizations, newest first.',
  within: 'nothing',
  options: { name: text('--name <text>', 'only organizations whose name contains this') },
  columns: [
    { header: 'ID', value: ({ id }) => id, kind: 'id' },
    { header: 'NAME', value: ({ name }) => name },
    { header: 'MEMBERS', value: ({ memberCount }) => memberCount },
    { header: 'PROJECTS', value: ({ projectCount }) => projectCount },
    { header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time' },
    { header: 'DELETED', value: ({ deletedAt }) => deletedAt, kind: 'time', spare: 1 },
  ],
  empty: 'No organizations match.',
  examples: [{ line: 'admin orgs list --name acme', does: 'Find an organization.' }],
  rows: ({ operator }, { options, page, call }) =>
    operator.admin.listOrganizations({ ...page, ...named(options) }, call),
});

const named = ({ name }: { name: string | undefined }) => ({ name });

const getOrganization = command({
  name: 'get',
  summary: 'Show an organization with its members, projects and stored data.',
  args: { organizationId: { description: 'ID of the organization' } },
  examples: [{ line: 'admin orgs get $ORG_ID', does: 'Show how much an organization stores.' }],
  run: async (context, { args }) => {
    const found = await context.operator.admin.getOrganization(args.organizationId, { signal: context.signal });
    context.out.record(found, [
      { header: 'ID', value: ({ id }) => id, kind: 'id' },
      { header: 'NAME', value: ({ name }) => name },
      { header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time' },
      { header: 'MEMBERS', value: ({ members }) => members.map(({ email, role }) => `${email} (${role})`).join(', ') },
      { header: 'PROJECTS', value: ({ projects }) => projects.map(({ name }) => name).join(', ') },
      { header: 'ENDPOINTS', value: ({ counts }) => counts.endpoints },
      { header: 'STORED', value: ({ storage }) => storage.map(({ kind, rows }) => `${rows} ${kind}`).join(', ') },
    ]);
  },
});

const deleteOrganization = command({
  name: 'delete',
  summary: 'Delete an organization with all its data.',
  args: { organizationId: { description: 'ID of the organization' } },
  options: { yes },
  examples: [{ line: 'admin orgs delete $ORG_ID --yes', does: 'Delete it without confirmation.' }],
  run: async (context, { args, options }) => {
    const { operator, signal, out } = context;
    const { name } = await operator.admin.getOrganization(args.organizationId, { signal });
    await context.confirm(`Delete the organization ${name} with all its data? This can’t be undone.`, options.yes);
    await operator.admin.eraseOrganization(args.organizationId, { signal });
    out.done({ id: args.organizationId, deleted: true }, `Deleted the organization ${name}.`);
  },
});

export const adminOrganizations: GroupSpec = {
  name: 'orgs',
  summary: 'See and delete organizations.',
  commands: [listOrganizations, getOrganization, deleteOrganization],
};
