import { usageError } from '@/lib/cli/input/usage-error';
import { flag, paging } from '@/lib/cli/options';
import { command } from '@/lib/cli/spec';
import { AUDIT_COLUMNS } from './audit-columns';
import { auditFilters } from './audit-filters';
import { followAudit } from './follow-audit';

export const listAudit = command({
  name: 'list',
  summary: 'List the organization’s audit log, newest first.',
  details:
    'With `--follow`, shows new entries until you press Ctrl-C, starting with those since `--from`. With `--json`, writes one line per entry.',
  options: { ...auditFilters, follow: flag('-f, --follow', 'show new entries as they are added'), ...paging },
  examples: [
    { line: 'audit --from 7d', does: 'List changes from the last week.' },
    { line: 'audit list --action api_key.created', does: 'List when keys were created.' },
    { line: 'audit --follow --json', does: 'Write new entries as NDJSON.' },
  ],
  run: async (context, { options }) => {
    const { follow, from, to, all } = options;
    if (follow && (all || to !== undefined || options.limit !== undefined)) {
      throw usageError('--follow never ends. Leave out --limit, --all and --to.');
    }
    const { client, out, signal } = context;
    const organizationId = await context.organizationId();
    const query = { action: options.action, actorId: options.actor, from, to };
    const list = (change: object, maxRetries?: number) =>
      client.auditLog.list(organizationId, { ...query, ...change }, { signal, maxRetries });
    if (follow) return await followAudit(context, (period) => list({ ...period, limit: 100 }, 1).pages(), from);
    const limit = context.rowLimit(options);
    await out.list(list({ limit: context.pageSize(options) }), AUDIT_COLUMNS, { limit, empty: 'No entries match.' });
  },
});
