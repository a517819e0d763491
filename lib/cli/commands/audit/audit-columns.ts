import type { AuditLogEntry } from '@/lib/audit/schema';
import type { Column } from '@/lib/cli/output/column';

export const AUDIT_COLUMNS: Column<AuditLogEntry>[] = [
  { header: 'TIME', value: ({ createdAt }) => createdAt, kind: 'time' },
  { header: 'ACTION', value: ({ action }) => action },
  { header: 'ACTOR', value: ({ actor }) => actor.email ?? `${actor.type} ${actor.id ?? ''}`.trim() },
  { header: 'TARGET', value: ({ target }) => `${target.type} ${target.id ?? ''}`.trim() },
  { header: 'ADDRESS', value: ({ ipAddress }) => ipAddress, spare: 1 },
];
