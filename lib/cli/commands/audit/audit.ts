import type { GroupSpec } from '@/lib/cli/spec';
import { listAudit } from './list-audit';

export const audit: GroupSpec = {
  name: 'audit',
  summary: 'See who changed what.',
  commands: [listAudit],
  defaultCommand: 'list',
};
