'use client';

import { Download } from 'lucide-react';
import { DownloadProgress } from '@/components/orgs/download/download-progress';
import { formatBytes } from '@/components/orgs/download/format-bytes';
import { saveDownload } from '@/components/orgs/download/open-download';
import { useDownload } from '@/components/orgs/download/use-download';
import { roleDisabledReason } from '@/components/projects/role-disabled-reason';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { InlineError } from '@/components/ui/inline-error';
import { MAX_EXPORTED_AUDIT_ENTRIES } from '@/lib/lifecycle/export-policy';
import type { OrganizationSummary } from '@/lib/orgs/schema';
import { describeExportedAuditEntries } from './exported-audit-entries';

/** Downloads the organization as one JSON document. */
export function ExportSection({ organization }: { organization: OrganizationSummary }) {
  const { id, role } = organization;
  const { state, start, cancel } = useDownload();
  return (
    <div className="grid gap-4">
      <p className="text-sm">
        Members, projects, endpoints, subscriptions, sources, destinations, API keys and the newest{' '}
        {MAX_EXPORTED_AUDIT_ENTRIES.toLocaleString('en-US')} audit entries. Event payloads and secrets aren’t included.
      </p>
      {state.status === 'running' ? (
        <DownloadProgress what="The export" bytes={state.bytes} onCancel={cancel} />
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
