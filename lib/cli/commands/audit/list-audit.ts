import { usageError } from '@/lib/cli/input/usage-error';
import { flag, paging } from '@/lib/cli/options';
import { command } from '@/lib/cli/spec';
import { AUDIT_COLUMNS } from './audit-columns';
import { auditFilters } from './audit-filters';
import { followAudit } from './follow-audit';

export const listAudit = command({
  name: 'list',
  summary: 'List the audit log of the organization, newest first.',
  details:
    'With --follow it shows each new entry until Ctrl-C; with --from first those since then. Its JSON is a line each.',
  options: { ...auditFilters, follow: flag('-f, --follow', 'show new entries as they are added'), ...paging },
  examples: [
    { line: 'audit --from 7d', does: 'List the changes of the last week.' },
    { line: 'audit list --action api_key.created', does: 'List the keys that were created.' },
    { line: 'audit --follow --json', does: 'Write new entries as NDJSON.' },
  ],
  run: async (context, { options }) => {
    const { follow, from, to, all } = options;
    if (follow && (all || to !== undefined || options.limit !== undefined)) {
      throw usageError('--follow has no end: leave out --limit, --all and --to.');
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
