import { cva } from 'class-variance-authority';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from './cn';

export type Tone = 'neutral' | 'accent' | 'success' | 'warning' | 'danger';

const badgeStyle = cva(
  'inline-flex h-5.5 items-center gap-1 whitespace-nowrap rounded-full px-2 align-middle font-medium text-xs',
  {
    variants: {
      tone: {
        neutral: 'bg-sunken text-muted',
        accent: 'bg-accent-subtle text-accent-text',
        success: 'bg-success-subtle text-success-text',
        warning: 'bg-warning-subtle text-warning-text',
        danger: 'bg-danger-subtle text-danger-text',
      } satisfies Record<Tone, string>,
    },
  },
);

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
    <span className={cn(badgeStyle({ tone }), className)}>
      {Icon ? <Icon aria-hidden="true" className="-ml-0.5 size-3.5 shrink-0" /> : null}
      {children}
    </span>
  );
}

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
