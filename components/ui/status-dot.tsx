import type { Tone } from './badge';
import { cn } from './cn';

const COLORS: Record<Tone, string> = {
  neutral: 'bg-border-strong',
  accent: 'bg-accent-text',
  success: 'bg-success-text',
  warning: 'bg-warning-text',
  danger: 'bg-danger-text',
};

/** A colored dot beside a text with the same meaning; `live` makes it pulse. */
export function StatusDot({ tone, live = false }: { tone: Tone; live?: boolean }) {
  return (
    <span aria-hidden="true" className="relative inline-flex size-2 shrink-0">
      {live ? <span className={cn('absolute inset-0 animate-ping rounded-full opacity-60', COLORS[tone])} /> : null}
      <span className={cn('size-2 rounded-full', COLORS[tone])} />
    </span>
  );
}
