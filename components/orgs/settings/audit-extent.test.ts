import { expect, it } from 'vitest';
import { auditExtentOf } from './audit-extent';

it('says how many of the audit entries are there when they are cut', () => {
  const tail = '{"id":"x"}],"auditLogsTruncated":true,"auditLogsTotal":23410}';
  expect(auditExtentOf(tail)).toBe('10,000 of 23,410 audit entries, the newest');
});

it('says that all are there when they are', () => {
  expect(auditExtentOf('],"auditLogsTruncated":false,"auditLogsTotal":312}\n')).toBe('all 312 audit entries');
  expect(auditExtentOf('"auditLogsTruncated": false, "auditLogsTotal": 1 }')).toBe('its one audit entry');
});

it('is not deceived by a name in the document, nor by a document without its end', () => {
  expect(auditExtentOf('"name":"\\"auditLogsTruncated\\":true,\\"auditLogsTotal\\":1}"')).toBeNull();
  expect(auditExtentOf('"auditLogsTruncated":true,"auditLogsTotal":234')).toBeNull();
});
