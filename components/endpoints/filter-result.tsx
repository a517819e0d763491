'use client';

import { useProjectPath } from '@/components/projects/use-projects';
import { cn } from '@/components/ui/cn';
import { InlineError } from '@/components/ui/inline-error';
import { TextLink } from '@/components/ui/link';
import { RelativeTime } from '@/components/ui/relative-time';
import { describeReasons } from '@/lib/delivery/filters/filter-policy';
import type { FilterPreview } from '@/lib/delivery/schema';

const MAX_SHOWN = 3;

interface FilterResultProps {
  /** What is typed: null for no filter, undefined while it is incomplete. */
  filter: string | null | undefined;
  /** Says what to do while it is incomplete. */
  incomplete: string;
  preview: FilterPreview | undefined;
  error: unknown;
  /** What is wrong with the filter. */
  fault: string | undefined;
  /** Whether the preview is that of what is typed. */
  isCurrent: boolean;
  /** Whether the events are those of the endpoint's subscriptions. */
  isOfTypes: boolean;
}

/** How many of the newest events a filter matches, and why the first others do not. It keeps its height while it loads. */
export function FilterResult(props: FilterResultProps) {
  const { filter, preview, error, fault, isCurrent } = props;
  const isTried = typeof filter === 'string' && fault === undefined && !error;
  const others = isTried ? (preview?.events ?? []).filter(({ matches }) => !matches) : [];
  return (
    <section
      aria-label="Newest events"
      className="grid min-h-52 content-start gap-2 rounded-lg bg-sunken p-3.5 text-sm"
    >
      <p role="status" className={cn('font-medium', fault !== undefined && 'text-danger-text')}>
        {sentenceOf(props)}
      </p>
      <InlineError what="We couldn’t try the filter" error={typeof filter === 'string' ? error : undefined} />
      {others.length === 0 ? null : (
        <div className={isCurrent ? '' : 'opacity-60'}>
          <p className="text-muted text-xs">{others.length === 1 ? 'This one doesn’t' : 'Newest that don’t'}:</p>
          <ul className="mt-1 grid gap-1.5">
            {others.slice(0, MAX_SHOWN).map((event) => (
              <Other key={event.id} {...event} />
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}

function sentenceOf({ filter, incomplete, preview, error, fault, isCurrent, isOfTypes }: FilterResultProps): string {
  if (filter === undefined) return incomplete;
  if (filter === null) return 'Without a filter, all events match.';
  if (fault !== undefined) return fault;
  if (error) return '';
  return isCurrent && preview !== undefined ? countOf(preview, isOfTypes) : 'Trying the newest events…';
}

function countOf({ checked, matching }: FilterPreview, isOfTypes: boolean): string {
  const which = isOfTypes ? 'events that it is subscribed to' : 'events';
  if (checked === 0) return `There are no ${which} yet to try the filter with.`;
  if (checked === 1) return matching === 1 ? 'The last event matches.' : 'The last event doesn’t match.';
  return `${matching} of the last ${checked} ${which} ${matching === 1 ? 'matches' : 'match'}.`;
}

function Other({ id, type, createdAt, failed }: FilterPreview['events'][number]) {
  const href = useProjectPath(`events/${id}`);
  return (
    <li className="min-w-0">
      <span className="flex flex-wrap items-baseline gap-x-2">
        <TextLink href={href} prefetch={false} target="_blank" className="wrap-anywhere font-mono text-xs">
          {type}
        </TextLink>
        <span className="text-muted text-xs">
          <RelativeTime at={createdAt} />
        </span>
      </span>
      <span className="wrap-anywhere line-clamp-2 text-muted text-xs">{describeReasons(failed)}</span>
    </li>
  );
}
