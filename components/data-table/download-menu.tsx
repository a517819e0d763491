'use client';

import { ChevronDown, Download } from 'lucide-react';
import { describeError } from '@/components/auth-session/api-error';
import { type Downloaded, saveDownload, useDownload } from '@/components/orgs/download/use-download';
import { Button } from '@/components/ui/button';
import { Menu, MenuContent, MenuItem, MenuLabel, MenuTrigger } from '@/components/ui/dropdown-menu';
import { formatBytes } from '@/components/ui/format-figures';
import { toast } from '@/components/ui/toast';
import { withQuery } from './url-filters';

/** As the API bounds a file. */
const MAX_ROWS = '100,000';

/** Downloads the rows of a list that match its filters as CSV or JSON lines. */
export function DownloadMenu({
  path,
  query,
  disabledReason,
}: {
  path: string;
  query: Record<string, string | undefined>;
  disabledReason?: string | undefined;
}) {
  const { state, start, cancel } = useDownload();
  const keep = (file: Downloaded) => {
    saveDownload(file);
    if (file.headers.get('X-Download-Truncated') === 'true') {
      toast.warning(
        `Older rows may be missing: a file has at most ${MAX_ROWS}, from among the newest million. Choose a shorter time range to get the rest.`,
      );
    } else toast.success(`Saved ${file.fileName}, ${formatBytes(file.bytes)}.`);
  };
  const download = (format: 'csv' | 'ndjson') =>
    void start(withQuery(path, { ...query, format }), keep, (error) =>
      toast.error(`The file was not saved. ${describeError(error).detail}`),
    );
  if (state.status === 'running') {
    return <Button onClick={cancel}>Cancel ({formatBytes(state.bytes)} so far)</Button>;
  }
  const button = (
    <Button disabledReason={disabledReason}>
      <Download aria-hidden="true" />
      Download
      <ChevronDown aria-hidden="true" className="-mr-0.5 text-muted" />
    </Button>
  );
  if (disabledReason !== undefined) return button;
  return (
    <Menu>
      <MenuTrigger asChild>{button}</MenuTrigger>
      <MenuContent align="end">
        <MenuLabel>Matching rows: the newest, up to {MAX_ROWS}</MenuLabel>
        <MenuItem onSelect={() => download('csv')}>CSV, for spreadsheets</MenuItem>
        <MenuItem onSelect={() => download('ndjson')}>JSON lines, for programs</MenuItem>
      </MenuContent>
    </Menu>
  );
}
