import { expect, it } from 'vitest';
import { describeExportedAuditEntries } from './exported-audit-entries';

it('says how many audit entries a truncated export contains', () => {
  const tail = '{"id":"x"}],"auditLogsTruncated":true,"auditLogsTotal":23410}';
  expect(describeExportedAuditEntries(tail)).toBe('the newest 10,000 of 23,410 audit entries');
});

it('says that a complete export contains all entries', () => {
  expect(describeExportedAuditEntries('],"auditLogsTruncated":false,"auditLogsTotal":312}\n')).toBe(
    'all 312 audit entries',
  );
  expect(describeExportedAuditEntries('"auditLogsTruncated": false, "auditLogsTotal": 1 }')).toBe('1 audit entry');
});

it('ignores the same text elsewhere in the document, and a truncated document', () => {
  expect(describeExportedAuditEntries('"name":"\\"auditLogsTruncated\\":true,\\"auditLogsTotal\\":1}"')).toBeNull();
  expect(describeExportedAuditEntries('"auditLogsTruncated":true,"auditLogsTotal":234')).toBeNull();
});
