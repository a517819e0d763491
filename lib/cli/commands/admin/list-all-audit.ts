import { AUDIT_COLUMNS, auditFilters } from '@/lib/cli/commands/audit';
import { listCommand } from '@/lib/cli/commands/list-command';

export const listAllAudit = listCommand({
  name: 'audit',
  summary: 'List the audit log of all organizations, newest first.',
  within: 'nothing',
  options: auditFilters,
  columns: AUDIT_COLUMNS,
  empty: 'No entries match.',
  examples: [{ line: 'admin audit --from 1d', does: 'List the changes of the last day.' }],
  rows: ({ operator }, { options: { action, actor, from, to }, page, call }) =>
    operator.admin.listAuditLog({ ...page, action, actorId: actor, from, to }, call),
});
