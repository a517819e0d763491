import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from './cn';

export type Tone = 'neutral' | 'accent' | 'success' | 'warning' | 'danger';

const TONES: Record<Tone, string> = {
  neutral: 'bg-sunken text-muted',
  accent: 'bg-accent-subtle text-accent-text',
  success: 'bg-success-subtle text-success-text',
  warning: 'bg-warning-subtle text-warning-text',
  danger: 'bg-danger-subtle text-danger-text',
};

/** A state in a word. The icon repeats the meaning of the color, so that color is never the only signal. */
export function Badge({
  tone = 'neutral',
  icon: Icon,
  children,
  className,
}: {
  tone?: Tone;
  icon?: LucideIcon;
  children: ReactNode;
  className?: string;
}) {
  return (
    <span
      className={cn(
        'inline-flex h-5.5 items-center align-middle gap-1 whitespace-nowrap rounded-full px-2 font-medium text-xs',
        TONES[tone],
        className,
      )}
    >
      {Icon ? <Icon aria-hidden="true" className="-ml-0.5 size-3.5 shrink-0" /> : null}
      {children}
    </span>
  );
}
