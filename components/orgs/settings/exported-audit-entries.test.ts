import { expect, it } from 'vitest';
import { describeExportedAuditEntries } from './exported-audit-entries';

it('says how many of the audit entries are there when they are cut', () => {
  const tail = '{"id":"x"}],"auditLogsTruncated":true,"auditLogsTotal":23410}';
  expect(describeExportedAuditEntries(tail)).toBe('10,000 of 23,410 audit entries, the newest');
});

it('says that all are there when they are', () => {
  expect(describeExportedAuditEntries('],"auditLogsTruncated":false,"auditLogsTotal":312}\n')).toBe(
    'all 312 audit entries',
  );
  expect(describeExportedAuditEntries('"auditLogsTruncated": false, "auditLogsTotal": 1 }')).toBe(
    'its one audit entry',
  );
});

it('is not deceived by a name in the document, nor by a document without its end', () => {
  expect(describeExportedAuditEntries('"name":"\\"auditLogsTruncated\\":true,\\"auditLogsTotal\\":1}"')).toBeNull();
  expect(describeExportedAuditEntries('"auditLogsTruncated":true,"auditLogsTotal":234')).toBeNull();
});
