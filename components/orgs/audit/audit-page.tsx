'use client';

import { Download } from 'lucide-react';
import { useMemo } from 'react';
import { describeError } from '@/components/auth-session/api-error';
import { LiveTable } from '@/components/data-table/live-table';
import { NoMatches } from '@/components/data-table/paged-table';
import { withQuery } from '@/components/data-table/url-filters';
import { useLivePages } from '@/components/data-table/use-live-pages';
import { usePages } from '@/components/data-table/use-pages';
import { useUrlFilters } from '@/components/data-table/use-url-filters';
import { periodOf } from '@/components/events/time-window';
import { type Downloaded, saveDownload, useDownload } from '@/components/orgs/download/use-download';
import { useOrganization } from '@/components/orgs/use-organization';
import { roleDisabledReason } from '@/components/projects/role-disabled-reason';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { formatBytes } from '@/components/ui/format-figures';
import { PageHeader } from '@/components/ui/page-header';
import { toast } from '@/components/ui/toast';
import { useBaseUrl } from '@/components/ui/use-base-url';
import type { AuditLogEntry } from '@/lib/audit/schema';
import type { Member, OrganizationSummary } from '@/lib/orgs/schema';
import { auditColumns } from './audit-columns';
import { AUDIT_FILTERS, AuditFilters, HIDDEN } from './audit-filters';
import { AUDIT_REFRESH_MS, AuditClosed, ENTRY_NOUN } from './history';

/** The audit log of an organization. */
export function AuditPage() {
  const { organization } = useOrganization();
  if (!organization) return null;
  const disabledReason = roleDisabledReason(organization.role, 'audit_log.read');
  if (disabledReason === undefined) return <AuditLog organization={organization} />;
  return (
    <>
      <AuditHeader organization={organization} query={{}} disabledReason={disabledReason} />
      <AuditClosed reason={disabledReason} />
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
  const { since, from, to } = filtering.filters;
  // A window that moved with the clock would be read again with each render.
  const period = useMemo(() => periodOf({ since, from, to }, new Date()), [since, from, to]);
  const query = {
    action: filtering.filters.action,
    actorId: filtering.filters.actorId,
    targetId: filtering.filters.targetId,
    withoutSignIns: filtering.filters.signIns === HIDDEN ? 'true' : undefined,
    ...period,
  };
  const entries = useLivePages<AuditLogEntry>(`/orgs/${organization.id}/audit-log`, query, {
    pollMs: AUDIT_REFRESH_MS,
  });
  const members = usePages<Member>(`/orgs/${organization.id}/members`, {}, { limit: 100 });
  return (
    <>
      <AuditHeader organization={organization} query={query} />
      <AuditFilters {...filtering} members={members.rows ?? []} entries={entries.rows ?? []} />
      <LiveTable
        label="Audit log"
        columns={auditColumns}
        pages={entries}
        noun={ENTRY_NOUN}
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
