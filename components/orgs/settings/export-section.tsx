'use client';

import { Download } from 'lucide-react';
import { saveDownload, useDownload } from '@/components/orgs/download/use-download';
import { roleDisabledReason } from '@/components/projects/role-disabled-reason';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { formatBytes } from '@/components/ui/format-figures';
import { InlineError } from '@/components/ui/inline-error';
import { MAX_EXPORTED_AUDIT_ENTRIES } from '@/lib/lifecycle/export-policy';
import type { OrganizationSummary } from '@/lib/orgs/schema';

/** Downloads the organization as one JSON document. */
export function ExportSection({ organization }: { organization: OrganizationSummary }) {
  const { id, role } = organization;
  const { state, start, cancel } = useDownload();
  return (
    <div className="grid gap-4">
      <p className="text-sm">
        Members, projects, customers, endpoints, subscriptions, sources, destinations, API keys and the newest{' '}
        {MAX_EXPORTED_AUDIT_ENTRIES.toLocaleString('en-US')} audit entries. Event payloads and secrets aren’t included.
      </p>
      {state.status === 'running' ? (
        <DownloadProgress bytes={state.bytes} onCancel={cancel} />
      ) : (
        <Button
          className="justify-self-start"
          disabledReason={roleDisabledReason(role, 'organization.export')}
          onClick={() => void start(`/orgs/${id}/export`, saveDownload)}
        >
          <Download aria-hidden="true" />
          Download export
        </Button>
      )}
      {state.status === 'failed' ? (
        <InlineError what="The export was interrupted and not saved" error={state.error} />
      ) : null}
      {state.status === 'done' ? <Saved bytes={state.file.bytes} tail={state.file.tail} /> : null}
    </div>
  );
}

function Saved({ bytes, tail }: { bytes: number; tail: string }) {
  const extent = describeExportedAuditEntries(tail);
  return (
    <Callout tone="success" role="status">
      Saved, {formatBytes(bytes)}.{extent === null ? null : <> It contains {extent}.</>} The export is recorded in the
      audit log.
    </Callout>
  );
}

/** The bytes of a download so far. The total is unknown, since the server generates the file while sending it. */
function DownloadProgress({ bytes, onCancel }: { bytes: number; onCancel: () => void }) {
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="text-sm">
          <span role="status">The export is downloading. Stay on this page.</span>{' '}
          {/* Not announced: it changes many times a second. */}
          <span className="whitespace-nowrap font-medium tabular-nums">{formatBytes(bytes)} so far</span>
        </p>
        <Button size="sm" onClick={onCancel}>
          Cancel
        </Button>
      </div>
      <div aria-hidden="true" className="relative h-1 overflow-hidden rounded-full bg-sunken">
        <div className="absolute h-full w-1/4 -translate-x-full animate-travel rounded-full bg-accent" />
      </div>
    </div>
  );
}

/** Describes the audit entries of an export from its last bytes; null when they are incomplete. */
export function describeExportedAuditEntries(tail: string): string | null {
  const found = /"auditLogsTruncated":\s*(true|false),\s*"auditLogsTotal":\s*(\d+)\s*\}\s*$/.exec(tail);
  if (found === null) return null;
  const total = Number(found[2]);
  const count = (value: number) => value.toLocaleString('en-US');
  if (found[1] === 'true') return `the newest ${count(MAX_EXPORTED_AUDIT_ENTRIES)} of ${count(total)} audit entries`;
  return total === 1 ? '1 audit entry' : `all ${count(total)} audit entries`;
}
