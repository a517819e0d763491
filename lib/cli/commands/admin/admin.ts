import type { GroupSpec } from '@/lib/cli/spec';
import { listAllAudit } from './list-all-audit';
import { adminOrganizations } from './organizations';
import { adminRetention } from './retention';
import { showStats } from './show-stats';
import { adminUsers } from './users';

export const admin: GroupSpec = {
  name: 'admin',
  summary: 'Operate the deployment. Requires `EDS_ADMIN_TOKEN`.',
  commands: [showStats, adminOrganizations, adminUsers, listAllAudit, adminRetention],
};
