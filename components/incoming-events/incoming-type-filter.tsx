'use client';

import { useState } from 'react';
import useSWR from 'swr';
import { SuggestFilter } from '@/components/data-table/suggest-filter';
import { useProjectPath } from '@/components/projects/use-projects';
import type { IncomingEventTypes } from '@/lib/incoming/schema';

const CACHED = { dedupingInterval: 30_000, revalidateOnFocus: false };
/** As many as fit on a screen without scrolling. */
const MAX_SUGGESTIONS = 8;
const MAX_CHARS = 200;

/** A filter by the type or prefix that a provider gives its events, which suggests the types that the project has received. */
export function IncomingTypeFilter({
  value,
  onChange,
}: {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}) {
  const [isNeeded, setNeeded] = useState(false);
  const path = useProjectPath('incoming-event-types');
  const { data } = useSWR<IncomingEventTypes>(isNeeded ? path : null, CACHED);
  return (
    <SuggestFilter
      label="Event type"
      placeholder="Type, or invoice.*"
      value={value}
      onChange={onChange}
      suggest={(typed) => suggestIncomingTypes(data?.data ?? [], typed)}
      faultOf={incomingTypeFault}
      onOpen={() => setNeeded(true)}
      width="sm:w-40"
    />
  );
}

/** Returns what is wrong with a type; undefined when nothing is. */
export function incomingTypeFault(typed: string): string | undefined {
  return typed.length > MAX_CHARS || /\p{Cc}/u.test(typed) ? 'A type has at most 200 characters.' : undefined;
}

/** Returns the types that were seen and contain a text, those that start with it first. */
export function suggestIncomingTypes(seen: readonly string[], typed: string): { value: string }[] {
  const text = typed.toLowerCase();
  const found = seen.filter((type) => type !== typed && type.toLowerCase().includes(text));
  const isStart = (type: string) => type.toLowerCase().startsWith(text);
  return [...found.filter(isStart), ...found.filter((type) => !isStart(type))]
    .slice(0, MAX_SUGGESTIONS)
    .map((value) => ({ value }));
}
