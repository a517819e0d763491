import { CircleCheck, CircleX, Clock } from 'lucide-react';
import type { EventListItem } from '@/lib/events/schema';

const PARTS = [
  { name: 'succeeded', word: 'delivered', icon: CircleCheck, className: 'text-success-text' },
  { name: 'pending', word: 'pending', icon: Clock, className: 'text-warning-text' },
  { name: 'failed', word: 'failed', icon: CircleX, className: 'text-danger-text' },
] as const;

/** Counts the deliveries of an event by state. */
export function DeliveryCounts({ deliveries }: { deliveries: EventListItem['deliveries'] }) {
  const present = PARTS.filter(({ name }) => deliveries[name] > 0);
  if (present.length === 0) return <span className="text-muted">No deliveries</span>;
  return (
    <span className="flex flex-wrap gap-x-3 gap-y-0.5">
      {present.map(({ name, word, icon: Icon, className }) => (
        <span key={name} className="inline-flex items-center gap-1 whitespace-nowrap">
          <Icon aria-hidden="true" className={`size-3.5 ${className}`} />
          {deliveries[name]} {word}
        </span>
      ))}
    </span>
  );
}
