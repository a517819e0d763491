import { MAX_EXPORTED_AUDIT_ENTRIES } from '@/lib/lifecycle/export-policy';

/** Describes the audit entries of an export from its last bytes; null when they are incomplete. */
export function describeExportedAuditEntries(tail: string): string | null {
  const found = /"auditLogsTruncated":\s*(true|false),\s*"auditLogsTotal":\s*(\d+)\s*\}\s*$/.exec(tail);
  if (found === null) return null;
  const total = Number(found[2]);
  const count = (value: number) => value.toLocaleString('en-US');
  if (found[1] === 'true') return `the newest ${count(MAX_EXPORTED_AUDIT_ENTRIES)} of ${count(total)} audit entries`;
  return total === 1 ? '1 audit entry' : `all ${count(total)} audit entries`;
}
