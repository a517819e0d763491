import { cn } from '@/components/ui/cn';
import { HATCHED } from './partition-strip';

const SAMPLES = [
  { look: 'bg-gradient-to-r from-accent/25 to-accent w-8', word: 'fewer to more rows' },
  { look: 'bg-accent/45 border-text border-b-3', word: 'today' },
  { look: 'border border-border-strong border-dashed', word: 'created ahead' },
  { look: HATCHED, word: 'expired' },
] as const;

/** Explains how days are drawn. Hidden from screen readers, which hear the state of each day. */
export function PartitionLegend() {
  return (
    <p aria-hidden="true" className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted text-xs">
      {SAMPLES.map(({ look, word }) => (
        <span key={word} className="flex items-center gap-1.5">
          <span className={cn('h-3.5 w-2.5 rounded-xs', look)} />
          {word}
        </span>
      ))}
    </p>
  );
}
