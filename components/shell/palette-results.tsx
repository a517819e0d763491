'use client';

import { Search } from 'lucide-react';
import { useRouter } from 'next/navigation';
import type { SearchResult } from '@/lib/search/schema';
import { Group, Item } from './palette-item';
import { KIND_LABELS, resultPath } from './search-results';

/** What the organization has with the typed id or text. */
export function PaletteResults({
  results,
  organizationId,
  typed,
  run,
}: {
  results: readonly SearchResult[];
  organizationId: string;
  typed: string;
  /** Closes the palette, then runs the action. */
  run: (action: () => void) => () => void;
}) {
  const router = useRouter();
  if (results.length === 0) return null;
  return (
    <Group heading="Found">
      {results.map((result) => (
        // The server has matched it: the filter of the palette must keep it.
        <Item
          key={`${result.kind} ${result.id}`}
          value={`${typed} ${result.kind} ${result.id}`}
          onSelect={run(() => router.push(resultPath(result, organizationId)))}
        >
          <Search aria-hidden="true" />
          <span className="truncate">{result.title}</span>
          <span className="ml-auto shrink-0 truncate text-muted text-xs">
            {KIND_LABELS[result.kind]}
            {result.projectName === null || result.kind === 'project' ? '' : ` · ${result.projectName}`}
          </span>
        </Item>
      ))}
    </Group>
  );
}
