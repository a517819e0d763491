import * as z from 'zod';
import type { MemberCaller } from '@/lib/audit/caller';
import type { ApiResponse } from '@/lib/http/api-response';
import { download, downloadHead, LIST_DOWNLOAD_LIMITS } from '@/lib/http/download';
import type { ApiRequest } from '@/lib/http/request';
import { findTenant, organizationOf } from '@/lib/orgs/tenant';
import { fieldError } from '@/lib/platform/errors';
import type { WhileAllowed } from '@/lib/platform/open-connections';
import { DEFAULT_LIMIT, type Page } from '@/lib/platform/pagination';
import { takeSlot } from '@/lib/platform/slots';
import type { ScannedPage } from '@/lib/platform/sql/bounded-scan';
import { type CsvColumns, MAX_DOWNLOAD_ROWS, type RowFormat, writeRows } from '@/lib/platform/write-rows';

/** `?format=` of a list that is also available as a file. */
export const ListFormat = z
  .enum(['json', 'csv', 'ndjson'], { error: 'must be json, csv or ndjson' })
  .optional()
  .meta({ description: '`csv` or `ndjson` downloads all matching rows as one file' });
export type ListFormat = z.infer<typeof ListFormat>;

/** Each reads page after page from the pool that all requests share. */
const DOWNLOADS = { name: 'list-downloads', atOnce: 6, perOrganization: 2, perOwner: 4, noun: 'download' };
const CONTENT_TYPES: Record<RowFormat, string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
};

/** What a download is made from. */
interface ListDownload<Row> {
  caller: MemberCaller;
  request: ApiRequest;
  whileAllowed: WhileAllowed;
  format: RowFormat;
  /** Names the file, without its extension. */
  name: string;
  columns: CsvColumns<Row>;
  /** Reads a page of the rows that match, newest first. */
  read: (page: Page) => Promise<ScannedPage<Row>>;
  /** Whether rows may match that the file does not have. */
  isTruncated: () => Promise<boolean>;
}

/** Whether a format asks for a file instead of a page. */
export function isFile(format: ListFormat): format is RowFormat {
  return format === 'csv' || format === 'ndjson';
}

/**
 * Answers with the newest rows that match, at most 100,000 out of the newest million, as a file that is streamed as fast as
 * the client reads. The header X-Download-Truncated tells whether others may match.
 * @throws AppError validation_failed for a `limit` that is not the default, for `cursor` and for `q`; rate_limited when the caller has another download under way, or the
 *   organization two, or its owner four; overloaded when the process has six and all are being read, or
 *   owners who were refused earlier wait
 */
export async function downloadList<Row extends { id: string }>({
  caller,
  request,
  whileAllowed,
  format,
  name,
  columns,
  read,
  isTruncated,
}: ListDownload<Row>): Promise<ApiResponse<never>> {
  for (const [parameter, ignored] of [
    // Generated clients send the defaults of a list.
    ['limit', String(DEFAULT_LIMIT)],
    ['cursor', ''],
  ] as const) {
    if ((request.query.get(parameter) ?? ignored) !== ignored) {
      throw fieldError(parameter, 'cannot be used with csv or ndjson, which contain all matching rows');
    }
  }
  // A file may look at a million rows.
  if (request.query.has('q')) throw fieldError('q', 'cannot be used with csv or ndjson');
  const contentType = CONTENT_TYPES[format];
  if (request.method === 'HEAD') return downloadHead(contentType);
  const slot = takeSlot(DOWNLOADS, {
    id: caller.type === 'key' ? caller.keyId : caller.userId,
    ...(await findTenant(organizationOf(caller))),
  });
  const truncated = await isTruncated().catch((error: unknown) => {
    slot.release();
    throw error;
  });
  const file = {
    contentType,
    fileName: `${name}.${format}`,
    chunks: writeRows(read, format, columns),
    close: async () => slot.release(),
    slot,
    whileAllowed,
    headers: { 'X-Download-Max-Rows': String(MAX_DOWNLOAD_ROWS), 'X-Download-Truncated': String(truncated) },
  };
  return download(file, LIST_DOWNLOAD_LIMITS);
}
