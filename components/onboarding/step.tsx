import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '@/components/ui/cn';
import type { StepState } from './current-step';

const STATE_LABELS: Record<StepState, string> = { done: ', done', current: ', current step', later: ', not started' };

/** A step of the setup guide: number, title and, while it is current, its form. */
export function Step({
  number,
  title,
  state,
  summary,
  last = false,
  open = state === 'current',
  children,
}: {
  number: number;
  title: string;
  state: StepState;
  /** Shown beside the title of a completed step. */
  summary?: ReactNode;
  last?: boolean;
  /** Shows the content; by default only in the current step. */
  open?: boolean;
  children: ReactNode;
}) {
  return (
    <li aria-current={state === 'current' ? 'step' : undefined} className="relative flex gap-3 sm:gap-4">
      {last ? null : <span aria-hidden="true" className="absolute top-8 bottom-0 left-3.5 w-px bg-border" />}
      <span
        aria-hidden="true"
        className={cn(
          'z-10 flex size-7 shrink-0 items-center justify-center rounded-full border font-medium text-xs',
          state === 'done' && 'border-transparent bg-success-subtle text-success-text',
          state === 'current' && 'border-transparent bg-accent text-on-accent',
          state === 'later' && 'bg-surface text-muted',
        )}
      >
        {state === 'done' ? <Check className="size-4" /> : number}
      </span>
      <div className="min-w-0 flex-1 pb-7">
        <div className="flex min-h-7 flex-wrap items-center gap-x-3">
          <h2 className={cn('font-semibold text-base', state === 'later' && 'font-medium text-muted')}>
            {title}
            <span className="sr-only">{STATE_LABELS[state]}</span>
          </h2>
          {state === 'done' && summary ? <span className="min-w-0 truncate text-muted text-sm">{summary}</span> : null}
        </div>
        {open ? <div className="mt-3 grid grid-cols-[minmax(0,1fr)] gap-4">{children}</div> : null}
      </div>
    </li>
  );
}
