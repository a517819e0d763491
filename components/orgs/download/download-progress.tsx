'use client';

import { Button } from '@/components/ui/button';
import { formatBytes } from './format-bytes';

/** The bytes of a download so far. The total is unknown, since the server generates the file while sending it. */
export function DownloadProgress({ what, bytes, onCancel }: { what: string; bytes: number; onCancel: () => void }) {
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="text-sm">
          <span role="status">{what} is downloading. Stay on this page.</span>{' '}
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
