import type { AuditLogEntry } from '@/lib/audit/schema';
import { AUDIT_ACTIONS } from '@/lib/audit/types';
import { choice, text, time } from '@/lib/cli/options';
import type { Column } from '@/lib/cli/output/column';
import type { GroupSpec } from '@/lib/cli/spec';
import { listCommand } from './list-command';

export const AUDIT_COLUMNS: Column<AuditLogEntry>[] = [
  { header: 'TIME', value: ({ createdAt }) => createdAt, kind: 'time' },
  { header: 'ACTION', value: ({ action }) => action },
  { header: 'ACTOR', value: ({ actor }) => actor.email ?? `${actor.type} ${actor.id ?? ''}`.trim() },
  { header: 'TARGET', value: ({ target }) => `${target.type} ${target.id ?? ''}`.trim() },
  { header: 'ADDRESS', value: ({ ipAddress }) => ipAddress },
];

export const auditFilters = {
  action: choice('--action <action>', 'only this action, such as project.created', AUDIT_ACTIONS),
  actor: text('--actor <id>', 'only what this person or key did'),
  from: time('--from <time>', 'only entries since then'),
  to: time('--to <time>', 'only entries until then'),
};

export const audit: GroupSpec = {
  name: 'audit',
  summary: 'See who changed what.',
  commands: [
    listCommand({
      summary: 'List the audit log of the organization, newest first.',
      within: 'organization',
      options: auditFilters,
      columns: AUDIT_COLUMNS,
      empty: 'No entries match.',
      examples: [{ line: 'audit list --from 7d', does: 'List the changes of the last week.' }],
      rows: ({ client }, { options: { action, actor, from, to }, page, call, organizationId }) =>
        client.auditLog.list(organizationId, { ...page, action, actorId: actor, from, to }, call),
    }),
  ],
};
