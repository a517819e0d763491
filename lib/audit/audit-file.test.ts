import { expect, it } from 'vitest';
import { auditFile } from './audit-file';
import type { AuditLogEntry } from './schema';

it('writes details that cannot control a terminal or turn the direction of text', () => {
  const details = { changes: { pauseReason: { from: null, to: 'a\x9b31m\u202eb\x1b[2J' } } };
  const cell = auditFile({ organizationId: '' }).columns.details({ details } as unknown as AuditLogEntry);
  expect(cell).not.toMatch(/[\p{Cc}\u202e]/u);
  expect(JSON.parse(cell)).toEqual(details);
});
