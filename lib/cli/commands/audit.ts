import type { AuditLogEntry } from '@/lib/audit/schema';
import { usageError } from '@/lib/cli/cli-error';
import { follow as followList } from '@/lib/cli/concurrency/feed';
import type { Context } from '@/lib/cli/context';
import { flag, pageSize, paging, rowLimit } from '@/lib/cli/options';
import { columns, readableCell } from '@/lib/cli/output/column';
import { formatRow } from '@/lib/cli/output/table';
import { optionsFrom } from '@/lib/cli/routes/route-command';
import { command, type GroupSpec } from '@/lib/cli/spec';
import { sanitize } from '@/lib/platform/terminal/sanitize';

const POLL_MS = 2_000;

/** The columns of the audit log. */
export const AUDIT_COLUMNS = columns<AuditLogEntry>(
  { header: 'TIME', value: ({ createdAt }) => createdAt, kind: 'time' },
  'action',
  {
    header: 'ACTOR',
    value: ({ actor: { email, type, name, id } }) => email ?? [type, name, id].filter(Boolean).join(' '),
  },
  { header: 'TARGET', value: ({ target }) => `${target.type} ${target.id ?? ''}`.trim() },
  { header: 'ADDRESS', value: ({ ipAddress }) => ipAddress, spare: 1 },
);

/** Returns a line whose columns are not aligned: how wide the next entries are is not known. */
function toLine({ terminal, out }: Context, entry: AuditLogEntry): string {
  if (!terminal.stdout.isTTY) return formatRow(entry, AUDIT_COLUMNS).slice(0, -1);
  const [, ...cells] = AUDIT_COLUMNS.map((column) => readableCell(column, entry, new Date()));
  return `${out.style.dim(sanitize(entry.createdAt))}  ${cells.join('  ')}`;
}

export const audit: GroupSpec = {
  summary: 'See who changed what.',
  commands: {
    list: command({
      summary: 'List the organization’s audit log, newest first.',
      details:
        'With `--follow`, shows new entries until you press Ctrl-C, starting with those since `--from`. With `--json`, writes one line per entry.',
      operations: ['auditLog.list'],
      options: {
        ...optionsFrom('auditLog.list', 'action', 'actorId', 'targetId', 'from', 'to', 'withoutSignIns'),
        follow: flag('-f, --follow', 'show new entries as they are added'),
        ...paging,
      },
      examples: {
        'audit --from 7d': 'List changes from the last week.',
        'audit list --action api_key.created': 'List when keys were created.',
        'audit --follow --json': 'Write new entries as NDJSON.',
      },
      run: async (context, { options: { follow, limit, all, ...query } }) => {
        if (follow && (all || query.to !== undefined || limit !== undefined)) {
          throw usageError('--follow never ends. Leave out --limit, --all and --to.');
        }
        const { client, out } = context;
        const organizationId = await context.organizationId();
        const list = (change: object, maxRetries?: number) =>
          client.auditLog.list(organizationId, { ...query, ...change }, { maxRetries });
        if (follow) {
          const pages = (period: object) => list({ ...period, limit: 100 }, 1).pages();
          await followList(
            context,
            { list: pages, from: query.from, what: 'changes', pollMs: POLL_MS },
            async (entries) => {
              for await (const entry of entries) out.item(entry, toLine(context, entry));
            },
          );
        }
        const shown = { limit, all };
        const rows = list({ limit: pageSize(shown) });
        await out.list(rows, AUDIT_COLUMNS, { limit: rowLimit(shown), empty: 'No entries match.' });
      },
    }),
  },
  defaultCommand: 'list',
};
