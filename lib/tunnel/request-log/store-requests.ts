import type { Sql } from '@/lib/platform/db';
import { insertRequests } from './insert-requests-sql';
import type { LogRow } from './log-row';

/** Writes rows in one statement. Skips rows of deleted tunnels and rows that are already stored. */
export async function storeRequests(sql: Sql, rows: readonly LogRow[]): Promise<void> {
  await insertRequests(rows.length).run(sql, ...rows.flatMap(valuesOf));
}

function valuesOf(row: LogRow): unknown[] {
  const { requestBody, responseBody } = row;
  return [
    ...[row.id, row.projectId, row.tunnelId, row.method, row.path, row.responseStatus, row.durationMs],
    ...[row.requestSize, row.responseSize, row.error],
    ...[row.requestHeaders, requestBody?.bytes ?? null, requestBody?.truncated ?? false],
    ...[row.responseHeaders, responseBody?.bytes ?? null, responseBody?.truncated ?? false],
    ...[row.replayOf, row.startedAt.toISOString()],
  ];
}
