import { AUDIT_COLUMNS } from '@/lib/cli/commands/audit/audit-columns';
import { auditFilters } from '@/lib/cli/commands/audit/audit-filters';
import { listCommand } from '@/lib/cli/commands/list-command';
import { text } from '@/lib/cli/options';

export const listAllAudit = listCommand({
  name: 'audit',
  summary: 'List the audit log of all organizations, newest first.',
  within: 'nothing',
  options: { ...auditFilters, organization: text('--organization <id>', 'only entries of this organization') },
  columns: AUDIT_COLUMNS,
  empty: 'No entries match.',
  examples: [{ line: 'admin audit --from 1d', does: 'List changes from the last day.' }],
  rows: ({ operator }, { options: { action, actor, from, to, organization }, page, call }) =>
    operator.admin.listAuditLog({ ...page, action, actorId: actor, from, to, organizationId: organization }, call),
});
