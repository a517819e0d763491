import { formatCount } from '@/components/ui/format-figures';
import type { EventReplay, EventReplayPreview, EventReplaySelect } from '@/lib/delivery/schema';

/** Names a number of events: "1 event", "312 events". */
export function describeEvents(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'event' : 'events'}`;
}

/** Names what a preview has counted: "312 events", "312 or more events". */
export function describePreview({ count, isExact }: EventReplayPreview): string {
  return isExact ? describeEvents(count) : `${formatCount(count)} or more events`;
}

/** What an event replay sends, as a choice and in a sentence. */
export const SELECTIONS: Readonly<Record<EventReplaySelect, { label: string; sentence: string }>> = {
  MISSING: { label: 'Missed', sentence: 'what its subscriptions and filter match, and was never sent to it' },
  FAILED: { label: 'Failed', sentence: 'deliveries that failed' },
  ALL: { label: 'All', sentence: 'what was missed or failed, and again what has arrived' },
};

/** Says what was skipped, and why; undefined when nothing was. */
export function describeSkipped({ skipped }: Pick<EventReplay, 'skipped'>): string | undefined {
  const reasons = [
    [skipped.pending, 'already on their way'],
    [skipped.disabled, 'to a paused or disabled endpoint'],
    [skipped.deleted, 'to a deleted endpoint'],
    [skipped.gone, 'no longer stored'],
  ] as const;
  const given = reasons.filter(([count]) => count > 0);
  if (given.length === 0) return undefined;
  return `Skipped: ${given.map(([count, reason]) => `${formatCount(count)} ${reason}`).join(', ')}.`;
}

/** Returns the progress from 0 to 100. A replay of nothing is complete. */
export function percentOf({ status, total, checked }: Pick<EventReplay, 'status' | 'total' | 'checked'>): number {
  if (status === 'COMPLETED' || total === 0) return 100;
  return Math.min(100, Math.floor((checked / total) * 100));
}
