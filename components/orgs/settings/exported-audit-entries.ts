/** The most audit entries that an export contains. See docs/specification.md#export-and-erasure. */
const MAX_ENTRIES = 10_000;

/** Describes the audit entries of an export from its last bytes; null when they are incomplete. */
export function describeExportedAuditEntries(tail: string): string | null {
  const found = /"auditLogsTruncated":\s*(true|false),\s*"auditLogsTotal":\s*(\d+)\s*\}\s*$/.exec(tail);
  if (found === null) return null;
  const total = Number(found[2]);
  const count = (value: number) => value.toLocaleString('en-US');
  if (found[1] === 'true') return `the newest ${count(MAX_ENTRIES)} of ${count(total)} audit entries`;
  return total === 1 ? '1 audit entry' : `all ${count(total)} audit entries`;
}
