'use client';

import { useState } from 'react';
import useSWR from 'swr';
import { SuggestFilter, type Suggestion } from '@/components/data-table/suggest-filter';
import { withQuery } from '@/components/data-table/url-filters';
import { useSettled } from '@/components/data-table/use-settled';
import { useProjectPath } from '@/components/projects/use-projects';
import { shortId } from '@/components/ui/copyable-id';
import type { DeliveryTarget, DeliveryTargetList } from '@/lib/delivery/schema';

const CACHED = { dedupingInterval: 30_000, revalidateOnFocus: false, keepPreviousData: true };

/** What the filter selects: an endpoint, or a destination of a source. */
export interface ChosenTarget {
  endpointId: string | undefined;
  destinationId: string | undefined;
}

/** A filter by endpoint or destination, which searches all of the project for a part of a URL or a description. */
export function TargetFilter({
  label = 'Target',
  isEndpoint = false,
  chosen,
  knownUrl,
  onChange,
}: {
  label?: string;
  /** Whether only endpoints can be chosen. */
  isEndpoint?: boolean;
  chosen: ChosenTarget;
  /** The URL of the chosen target, if it is known: a deleted one cannot be looked up. */
  knownUrl?: string | undefined;
  onChange: (chosen: ChosenTarget) => void;
}) {
  const [isNeeded, setNeeded] = useState(false);
  const [typed, setTyped] = useState('');
  const chosenId = chosen.endpointId ?? chosen.destinationId;
  const url = useChosenUrl(chosenId) ?? knownUrl;
  const name = chosenId === undefined ? undefined : (url ?? shortId(chosenId));
  const { targets, isLoading } = useTargets(isNeeded, typed);
  const suggestions = targets
    .filter(({ endpointId }) => !isEndpoint || endpointId !== null)
    .slice(0, MAX_SUGGESTIONS)
    .map(toSuggestion);
  const choose = ({ id }: Suggestion) => {
    const target = targets.find((each) => idOf(each) === id);
    if (target === undefined) return;
    onChange({ endpointId: target.endpointId ?? undefined, destinationId: target.destinationId ?? undefined });
    setTyped('');
  };
  const nouns = isEndpoint ? 'endpoint' : 'endpoint or destination';
  return (
    <SuggestFilter
      label={label}
      placeholder={isEndpoint ? 'Any endpoint' : 'Any target'}
      value={name}
      onChange={(text) => {
        if (text === undefined) onChange({ endpointId: undefined, destinationId: undefined });
      }}
      suggest={() => suggestions}
      faultOf={(text) => {
        if (text === name || isLoading) return undefined;
        return suggestions.length === 0 ? `No ${nouns} has this text.` : `Choose one ${nouns} from the list.`;
      }}
      onOpen={() => setNeeded(true)}
      onType={setTyped}
      onChoose={choose}
      width="sm:w-48"
    />
  );
}

/** As many as fit on a screen without scrolling. */
const MAX_SUGGESTIONS = 8;

const idOf = ({ endpointId, destinationId }: DeliveryTarget) => endpointId ?? destinationId ?? '';

function toSuggestion(target: DeliveryTarget): Suggestion {
  const { url, description, destinationId } = target;
  const hint = description ?? (destinationId === null ? undefined : 'destination');
  return { id: idOf(target), value: url, ...(hint === undefined ? {} : { hint }) };
}

/** Searches for a text, once it is needed. `targets` are those of the last search that ended. */
function useTargets(isNeeded: boolean, typed: string): { targets: readonly DeliveryTarget[]; isLoading: boolean } {
  const { wanted, settled } = useSettled(typed);
  const path = withQuery(useProjectPath('targets'), { q: settled });
  const { data, isLoading } = useSWR<DeliveryTargetList>(isNeeded ? path : null, CACHED);
  return { targets: data?.data ?? [], isLoading: isLoading || settled !== wanted };
}

/** Returns the URL of a target by its id; undefined while it loads, and for one that was deleted. */
function useChosenUrl(id: string | undefined): string | undefined {
  const path = withQuery(useProjectPath('targets'), { q: id });
  const { data } = useSWR<DeliveryTargetList>(id === undefined ? null : path, { ...CACHED, keepPreviousData: false });
  return data?.data.find((target) => idOf(target) === id)?.url;
}
