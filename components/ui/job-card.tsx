'use client';

import { type LucideIcon, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useAsyncAction } from '@/components/form/use-async-action';
import { Button } from './button';
import { cn } from './cn';
import { InlineError } from './inline-error';

interface JobCardProps {
  /** What the job is called: "Bulk retry". */
  label: string;
  look: { icon: LucideIcon; word: string; className: string };
  /** What was done so far. */
  children: ReactNode;
  progress: { label: string; percent: number; tone?: 'accent' | 'danger' };
  isRunning: boolean;
  cancel: { label: string; failure: string; run: () => Promise<unknown>; disabledReason: string | undefined };
  onClose: () => void;
  /** Links beside the button. */
  actions?: ReactNode;
  /** What the person should know besides. */
  note?: ReactNode;
}

/** The progress of a background job, with a button that cancels it, or hides this once it has ended. */
export function JobCard({ label, look, children, progress, isRunning, cancel, onClose, actions, note }: JobCardProps) {
  const { pending, error, run } = useAsyncAction();
  const { icon: Icon, word, className } = look;
  return (
    <section aria-label={label} className="mb-4 grid gap-2.5 rounded-lg border bg-surface px-4 py-3 shadow-raised">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="flex min-w-0 items-center gap-2.5 text-sm">
          <Icon aria-hidden="true" className={`size-4 shrink-0 ${className}`} />
          <span className="min-w-0">
            <span role="status" className="font-medium">
              {word}
            </span>{' '}
            {children}
          </span>
        </p>
        <span className="flex items-center gap-2">
          {actions}
          {isRunning ? (
            <Button
              size="sm"
              loading={pending}
              disabledReason={cancel.disabledReason}
              onClick={() => void run(cancel.run)}
            >
              {cancel.label}
            </Button>
          ) : (
            <Button size="iconSm" variant="ghost" aria-label="Close" onClick={onClose}>
              <X aria-hidden="true" />
            </Button>
          )}
        </span>
      </div>
      <Progress {...progress} />
      {note}
      <InlineError what={cancel.failure} error={error} />
    </section>
  );
}

/** A bar that fills from 0 to 100 percent. */
export function Progress({
  label,
  percent,
  tone = 'accent',
}: {
  /** Names the bar for screen readers. */
  label: string;
  percent: number;
  tone?: 'accent' | 'danger';
}) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className="h-1.5 overflow-hidden rounded-full bg-sunken dark:bg-border"
    >
      <div
        className={cn('h-full rounded-full transition-[width]', tone === 'danger' ? 'bg-danger' : 'bg-accent')}
        style={{ width: `${percent}%` }}
      />
    </div>
  );
}
