import { expect, it } from 'vitest';
import { describeExportedAuditEntries } from '@/components/orgs/settings/export-section';
import { collectBody } from './use-download';

function streamOf(...pieces: (string | Error)[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull(controller) {
      const piece = pieces.shift();
      if (piece === undefined) controller.close();
      else if (piece instanceof Error) controller.error(piece);
      else controller.enqueue(encoder.encode(piece));
    },
  });
}

it('keeps every byte in order and reports progress', async () => {
  const told: number[] = [];
  const { blob, bytes, tail } = await collectBody(streamOf('{"a":', '"é"', '}'), (now) => told.push(now));
  expect(await blob.text()).toBe('{"a":"é"}');
  expect(bytes).toBe(10);
  expect(tail).toBe('{"a":"é"}');
  expect(told).toEqual([5, 9, 10]);
});

it('keeps every chunk of a large body, and only its end as text', async () => {
  const piece = 'x'.repeat(1024 * 1024);
  const { blob, bytes, tail } = await collectBody(streamOf(...Array<string>(9).fill(piece), 'end'), () => {});
  expect(bytes).toBe(9 * 1024 * 1024 + 3);
  expect(await blob.slice(-4).text()).toBe('xend');
  expect(tail).toHaveLength(1024);
});

it('fails when the body is interrupted, instead of keeping a part', async () => {
  await expect(collectBody(streamOf('half', new Error('cut')), () => {})).rejects.toThrow('cut');
});

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
