'use client';

import { Download } from 'lucide-react';
import { describeError } from '@/components/auth-session/api-error';
import { withQuery } from '@/components/data-table/url-filters';
import { formatBytes } from '@/components/orgs/download/format-bytes';
import { type Downloaded, saveDownload } from '@/components/orgs/download/open-download';
import { useDownload } from '@/components/orgs/download/use-download';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/toast';
import type { OrganizationSummary } from '@/lib/orgs/schema';

/** Downloads the filtered entries as CSV. */
export function CsvExport({
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
