'use client';

import { Download, EyeOff } from 'lucide-react';
import { describeError } from '@/components/auth-session/api-error';
import { columnHelperFor } from '@/components/data-table/column-helper';
import { LiveTable } from '@/components/data-table/live-table';
import { NoMatches } from '@/components/data-table/no-matches';
import { withQuery } from '@/components/data-table/url-filters';
import { useLivePages } from '@/components/data-table/use-live-pages';
import { usePages } from '@/components/data-table/use-pages';
import { useUrlFilters } from '@/components/data-table/use-url-filters';
import { formatBytes } from '@/components/orgs/download/format-bytes';
import { type Downloaded, saveDownload } from '@/components/orgs/download/open-download';
import { useDownload } from '@/components/orgs/download/use-download';
import { useOrganization } from '@/components/orgs/use-organization';
import { roleDisabledReason } from '@/components/projects/role-disabled-reason';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { RelativeTime } from '@/components/ui/relative-time';
import { toast } from '@/components/ui/toast';
import { useBaseUrl } from '@/components/ui/use-base-url';
import type { AuditLogEntry } from '@/lib/audit/schema';
import type { Member, OrganizationSummary } from '@/lib/orgs/schema';
import { ActionCell, ActorCell, TargetCell } from './audit-cells';
import { AUDIT_FILTERS, AuditFilters, HIDDEN } from './audit-filters';
import { dayRange } from './day-range';

const column = columnHelperFor<AuditLogEntry>();

const TOP = 'sm:align-top sm:pt-2.5 max-sm:items-start';

const auditColumns = column.columns([
  column.accessor('action', {
    header: 'Action',
    meta: { primary: true, className: 'sm:align-top max-sm:pr-24' },
    cell: ({ row }) => <ActionCell entry={row.original} />,
  }),
  column.accessor('actor', {
    header: 'Actor',
    meta: { className: `${TOP} max-sm:before:pt-px` },
    cell: ({ row }) => <ActorCell entry={row.original} />,
  }),
  column.accessor('target', {
    header: 'Target',
    meta: { className: `${TOP} max-sm:before:pt-0.75 sm:max-w-72` },
    cell: ({ row }) => <TargetCell entry={row.original} />,
  }),
  column.accessor('createdAt', {
    header: 'Time',
    meta: { align: 'end', unlabelled: true, className: `${TOP} max-sm:absolute max-sm:top-3.5 max-sm:right-0` },
    cell: ({ row }) => <RelativeTime at={row.original.createdAt} className="text-muted" />,
  }),
]);

const NOUN = ['entry', 'entries'] as const;
const REFRESH_MS = 10_000;

/** The audit log of an organization. */
export function AuditPage({ organizationId }: { organizationId: string }) {
  const { organization } = useOrganization(organizationId);
  if (!organization) return null;
  const disabledReason = roleDisabledReason(organization.role, 'audit_log.read');
  if (disabledReason === undefined) return <AuditLog organization={organization} />;
  return (
    <>
      <AuditHeader organization={organization} query={{}} disabledReason={disabledReason} />
      <div className="flex flex-col items-center rounded-lg border bg-surface px-4 py-12 text-center shadow-raised">
        <EyeOff aria-hidden="true" className="mb-3 size-6 text-muted" />
        <h2 className="font-semibold text-base">Only admins and owners can read the audit log</h2>
        <p className="mt-1 text-balance text-muted text-sm">{disabledReason}</p>
      </div>
    </>
  );
}

function AuditHeader({
  organization,
  query,
  disabledReason,
}: {
  organization: OrganizationSummary;
  query: Record<string, string | undefined>;
  disabledReason?: string;
}) {
  return (
    <PageHeader
      title="Audit log"
      description={
        <>
          Who changed what in <span className="wrap-anywhere font-medium text-text">{organization.name}</span>. Entries
          can’t be changed or deleted.
        </>
      }
      actions={<CsvExport organization={organization} query={query} disabledReason={disabledReason} />}
    />
  );
}

function AuditLog({ organization }: { organization: OrganizationSummary }) {
  const filtering = useUrlFilters(AUDIT_FILTERS);
  const query = {
    action: filtering.filters.action,
    actorId: filtering.filters.actorId,
    withoutSignIns: filtering.filters.signIns === HIDDEN ? 'true' : undefined,
    ...dayRange(filtering.filters),
  };
  const entries = useLivePages<AuditLogEntry>(`/orgs/${organization.id}/audit-log`, query, { pollMs: REFRESH_MS });
  const members = usePages<Member>(`/orgs/${organization.id}/members`, {}, { limit: 100 });
  return (
    <>
      <AuditHeader organization={organization} query={query} />
      <AuditFilters {...filtering} members={members.rows ?? []} />
      <LiveTable
        label="Audit log"
        columns={auditColumns}
        pages={entries}
        noun={NOUN}
        empty={
          filtering.active ? (
            <NoMatches
              title="No matching entries"
              sentence="No entry matches all of these filters."
              onClear={filtering.clear}
            />
          ) : (
            <NoEntry organizationId={organization.id} />
          )
        }
      />
    </>
  );
}

function NoEntry({ organizationId }: { organizationId: string }) {
  const baseUrl = useBaseUrl();
  return (
    <EmptyState
      title="No entries yet"
      sentence="Changes to members, roles, keys and secrets are recorded here."
      code={{
        label: 'Read the audit log with the API',
        code: `curl ${baseUrl}/api/v1/orgs/${organizationId}/audit-log -H "Authorization: Bearer $ACCESS_TOKEN"`,
      }}
    />
  );
}

/** Downloads the filtered entries as CSV. */
function CsvExport({
  organization,
  query,
  disabledReason,
}: {
  organization: OrganizationSummary;
  query: Record<string, string | undefined>;
  disabledReason: string | undefined;
}) {
  const { state, start, cancel } = useDownload();
  const keep = (file: Downloaded) => {
    saveDownload(file);
    if (file.headers.get('X-Audit-Log-Truncated') === 'true') {
      toast.warning(
        'Saved only the newest entries, since files have a size limit. Choose a shorter time range to get the rest.',
      );
    } else toast.success(`Saved, ${formatBytes(file.bytes)}.`);
  };
  const path = withQuery(`/orgs/${organization.id}/audit-log`, { ...query, format: 'csv' });
  const download = () =>
    void start(path, keep, (error) => toast.error(`We couldn’t save the file. ${describeError(error).detail}`));
  if (state.status === 'running') {
    return <Button onClick={cancel}>Cancel ({formatBytes(state.bytes)} so far)</Button>;
  }
  return (
    <Button disabledReason={disabledReason} onClick={download}>
      <Download aria-hidden="true" />
      Download CSV
    </Button>
  );
}
