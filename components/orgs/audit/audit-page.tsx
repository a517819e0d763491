'use client';

import { EyeOff } from 'lucide-react';
import { LiveTable } from '@/components/data-table/live-table';
import { NoMatches } from '@/components/data-table/no-matches';
import { useLivePages } from '@/components/data-table/use-live-pages';
import { usePages } from '@/components/data-table/use-pages';
import { useUrlFilters } from '@/components/data-table/use-url-filters';
import { useOrganization } from '@/components/orgs/use-organization';
import { roleDisabledReason } from '@/components/projects/role-disabled-reason';
import { EmptyState } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { useBaseUrl } from '@/components/ui/use-base-url';
import type { AuditLogEntry } from '@/lib/audit/schema';
import type { Member, OrganizationSummary } from '@/lib/orgs/schema';
import { auditColumns } from './audit-columns';
import { AUDIT_FILTERS, AuditFilters, HIDDEN } from './audit-filters';
import { CsvExport } from './csv-export';
import { dayRange } from './day-range';

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
