'use client';

import { useState } from 'react';
import useSWR from 'swr';
import { SuggestFilter, type Suggestion } from '@/components/data-table/suggest-filter';
import { withQuery } from '@/components/data-table/url-filters';
import type { CursorPage } from '@/components/data-table/use-pages';
import { useSettled } from '@/components/data-table/use-settled';
import { useProjectPath } from '@/components/projects/use-projects';
import type { CatalogueType } from '@/lib/events/schema';
import { TYPE_PATTERN } from '@/lib/events/type-pattern-policy';

const CACHED = { dedupingInterval: 30_000, revalidateOnFocus: false };

/** A filter by event type or prefix, which suggests the types that the project has received. */
export function TypeFilter({
  value,
  onChange,
}: {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}) {
  const [isNeeded, setNeeded] = useState(false);
  const [typed, setTyped] = useState('');
  const types = useTypeSearch(isNeeded, typed);
  return (
    <SuggestFilter
      label="Event type"
      placeholder="Type, or order.*"
      value={value}
      onChange={onChange}
      suggest={(typed) => suggestTypes(types, typed)}
      faultOf={typeFault}
      onOpen={() => setNeeded(true)}
      onType={setTyped}
      width="sm:w-40"
    />
  );
}

/** Loads the first hundred types whose name or description has a text; none until they are needed. */
export function useTypeSearch(isNeeded: boolean, typed: string): string[] {
  const { settled } = useSettled(typed.replace(/\.?\*$/, ''));
  const path = withQuery(useProjectPath('event-types'), { q: settled, limit: 100 });
  const { data } = useSWR<CursorPage<CatalogueType>>(isNeeded ? path : null, CACHED);
  return (data?.data ?? []).map(({ name }) => name);
}

/** As many as fit on a screen without scrolling. */
const MAX_SUGGESTIONS = 8;

/** Returns what is wrong with an event type or pattern; undefined when nothing is. */
export function typeFault(typed: string): string | undefined {
  if (TYPE_PATTERN.test(typed)) return undefined;
  if (/^[A-Za-z0-9_.-]*\*$/.test(typed)) return 'Put a dot before the star, as in order.*';
  return 'Use letters, digits, dots, dashes and underscores, with .* at the end for a prefix.';
}

/** Returns the types that were seen and their prefixes that start with a text, shortest prefixes first. */
export function suggestTypes(seen: readonly string[], typed: string): Suggestion[] {
  const start = typed.replace(/\*$/, '').toLowerCase();
  const counts = new Map<string, number>();
  for (const type of seen) {
    for (let dot = type.indexOf('.'); dot !== -1; dot = type.indexOf('.', dot + 1)) {
      const prefix = `${type.slice(0, dot)}.*`;
      counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
    }
  }
  const prefixes = [...counts].map(([value, count]) => ({ value, hint: `${count} ${count === 1 ? 'type' : 'types'}` }));
  const all: Suggestion[] = [
    ...prefixes.sort((a, b) => a.value.length - b.value.length),
    ...seen.map((value) => ({ value })),
  ];
  return all.filter(({ value }) => value.toLowerCase().startsWith(start) && value !== typed).slice(0, MAX_SUGGESTIONS);
}
