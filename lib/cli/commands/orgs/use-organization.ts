import { Context } from '@/lib/cli/context';
import { command } from '@/lib/cli/spec';
import { switchOrganization } from './switch-organization';

export const useOrganization = command({
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
