import { setTimeout as sleep } from 'node:timers/promises';
import type { AuditLogEntry } from '@/lib/audit/schema';
import { Feed, type ListRows } from '@/lib/cli/concurrency/feed';
import { Reconnecting } from '@/lib/cli/concurrency/reconnecting';
import type { Context } from '@/lib/cli/context';
import { readableCell } from '@/lib/cli/output/column';
import { formatRow } from '@/lib/cli/output/table';
import { AUDIT_COLUMNS } from './audit-columns';

const POLL_MS = 2_000;

/** Shows new entries as they are added until the command is stopped. @param from first shows the entries since then */
export async function followAudit(
  context: Context,
  list: ListRows<AuditLogEntry>,
  from: Date | undefined,
): Promise<void> {
  const { out, signal } = context;
  const feed = new Feed(list);
  const connection = new Reconnecting(context);
  if (from === undefined) await feed.skipPresent();
  else feed.beginAt(from);
  out.hint('Waiting for changes. Press Ctrl-C to stop.');
  for (;;) {
    await connection.run(async () => {
      for await (const entry of feed.poll()) out.item(entry, toLine(context, entry));
    });
    await sleep(POLL_MS, undefined, { signal });
  }
}

/** Returns a line whose columns are not aligned: how wide the next entries are is not known. */
function toLine({ terminal, out }: Context, entry: AuditLogEntry): string {
  if (!terminal.stdout.isTTY) return formatRow(entry, AUDIT_COLUMNS).slice(0, -1);
  const [, ...cells] = AUDIT_COLUMNS.map((column) => readableCell(column, entry, new Date()));
  return `${out.style.dim(entry.createdAt)}  ${cells.join('  ')}`;
}
