/** How many of the audit entries an export holds at most (spec 8.4). */
const CAP = 10_000;

/** What the end of an export says of its audit entries, in words; null when its end is not there. */
export function describeExportedAuditEntries(tail: string): string | null {
  const found = /"auditLogsTruncated":\s*(true|false),\s*"auditLogsTotal":\s*(\d+)\s*\}\s*$/.exec(tail);
  if (found === null) return null;
  const total = Number(found[2]);
  const count = (value: number) => value.toLocaleString('en-US');
  if (found[1] === 'true') return `${count(CAP)} of ${count(total)} audit entries, the newest`;
  return total === 1 ? 'its one audit entry' : `all ${count(total)} audit entries`;
}
