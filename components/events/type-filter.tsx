'use client';

import { useState } from 'react';
import useSWR from 'swr';
import { SuggestFilter } from '@/components/data-table/suggest-filter';
import type { EventTypes } from '@/lib/events/schema';
import { suggestTypes, typeFault } from './suggest-types';

const CACHED = { dedupingInterval: 30_000, revalidateOnFocus: false };

/** A filter by event type or prefix, which suggests the types that the project has received. */
export function TypeFilter({
  projectId,
  value,
  onChange,
}: {
  projectId: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}) {
  const [isNeeded, setNeeded] = useState(false);
  const { data } = useSWR<EventTypes>(isNeeded ? `/projects/${projectId}/event-types` : null, CACHED);
  return (
    <SuggestFilter
      label="Event type"
      placeholder="Type, or order.*"
      value={value}
      onChange={onChange}
      suggest={(typed) => suggestTypes(data?.data ?? [], typed)}
      faultOf={typeFault}
      onOpen={() => setNeeded(true)}
      width="sm:w-48"
      isSearch
    />
  );
}
