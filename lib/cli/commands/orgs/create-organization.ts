import { flag } from '@/lib/cli/options';
import { command } from '@/lib/cli/spec';
import { switchOrganization } from './switch-organization';

export const createOrganization = command({
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
