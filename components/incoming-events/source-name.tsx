'use client';

import { useParams } from 'next/navigation';
import { ProviderMark } from '@/components/sources/provider-mark';
import { useSourceNames } from '@/components/sources/use-sources';

/** The name and mark of a source, or the end of its id after it is deleted. */
export function SourceName({ sourceId }: { sourceId: string }) {
  const { projectId } = useParams<{ projectId: string }>();
  const { sources, sourceOf } = useSourceNames(projectId);
  const source = sourceOf(sourceId);
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      <ProviderMark provider={source?.provider ?? 'NONE'} />
      <span className="truncate">
        {source?.name ?? (sources === undefined ? '…' : `Source …${sourceId.slice(-8)}`)}
      </span>
    </span>
  );
}
