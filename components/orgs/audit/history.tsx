'use client';

import { EyeOff } from 'lucide-react';
import { LiveTable } from '@/components/data-table/live-table';
import { useLivePages } from '@/components/data-table/use-live-pages';
import { usePageOrganization } from '@/components/orgs/use-organization';
import { roleDisabledReason } from '@/components/projects/role-disabled-reason';
import { EmptyState } from '@/components/ui/empty-state';
import type { AuditLogEntry } from '@/lib/audit/schema';
import { changesColumns, historyColumns } from './audit-columns';

/** What an entry of the audit log is called. */
export const ENTRY_NOUN = ['entry', 'entries'] as const;
/** How often a list of entries looks for new ones. */
export const AUDIT_REFRESH_MS = 10_000;

type Of = { targetId: string } | { actorId: string };

/** The entries of the audit log about one resource, or those of one key, for those who may read it. */
export function History({ of }: { of: Of }) {
  const organization = usePageOrganization();
  if (organization === undefined) return null;
  const closed = roleDisabledReason(organization.role, 'audit_log.read');
  if (closed !== undefined) return <AuditClosed reason={closed} />;
  return <Entries organizationId={organization.id} of={of} />;
}

function Entries({ organizationId, of }: { organizationId: string; of: Of }) {
  const path = `/orgs/${organizationId}/audit-log`;
  const entries = useLivePages<AuditLogEntry>(path, of, { pollMs: AUDIT_REFRESH_MS });
  return (
    <LiveTable
      label="History"
      columns={'actorId' in of ? changesColumns : historyColumns}
      pages={entries}
      noun={ENTRY_NOUN}
      empty={
        'actorId' in of ? (
          <EmptyState
            title="It changed nothing"
            sentence="What a key creates, changes or deletes is listed here. Reading and sending are not."
          />
        ) : (
          <EmptyState title="No changes yet" sentence="Who changes what here is recorded in the audit log." />
        )
      }
    />
  );
}

/** Says why the reader may not read the audit log. */
export function AuditClosed({ reason }: { reason: string }) {
  return (
    <div className="flex flex-col items-center rounded-lg border bg-surface px-4 py-12 text-center shadow-raised">
      <EyeOff aria-hidden="true" className="mb-3 size-6 text-muted" />
      <h2 className="font-semibold text-base">Only admins and owners can read the audit log</h2>
      <p className="mt-1 text-balance text-muted text-sm">{reason}</p>
    </div>
  );
}
