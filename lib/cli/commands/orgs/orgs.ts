import type { GroupSpec } from '@/lib/cli/spec';
import { createOrganization } from './create-organization';
import { listMembers } from './list-members';
import { listOrganizations } from './list-organizations';
import { useOrganization } from './use-organization';

export const orgs: GroupSpec = {
  name: 'orgs',
  summary: 'Create and switch organizations, and list their members.',
  commands: [listOrganizations, useOrganization, createOrganization, listMembers],
};
