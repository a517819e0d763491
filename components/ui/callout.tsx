import { CircleAlert, CircleCheck, Info, type LucideIcon, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Tone } from './badge';
import { cn } from './cn';

const LOOK: Record<Exclude<Tone, 'neutral'>, { icon: LucideIcon; className: string }> = {
  accent: { icon: Info, className: 'bg-accent-subtle [&>svg]:text-accent-text' },
  success: { icon: CircleCheck, className: 'bg-success-subtle [&>svg]:text-success-text' },
  warning: { icon: TriangleAlert, className: 'bg-warning-subtle [&>svg]:text-warning-text' },
  danger: { icon: CircleAlert, className: 'bg-danger-subtle [&>svg]:text-danger-text' },
};

/** A highlighted note. Use `role="alert"` for an error that just occurred. */
export function Callout({
  tone,
  role,
  children,
  className,
}: {
  tone: Exclude<Tone, 'neutral'>;
  role?: 'alert' | 'status';
  children: ReactNode;
  className?: string;
}) {
  const { icon: Icon, className: look } = LOOK[tone];
  return (
    <div role={role} className={cn('flex min-w-0 items-start gap-2.5 rounded-lg px-3 py-2.5 text-sm', look, className)}>
      <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  );
}

/** Shown instead of a URL that the server cannot decrypt. */
export function UnreadableUrl() {
  return (
    <Callout tone="danger">
      <p className="font-medium">This URL can’t be shown.</p>
      <p>It was encrypted with a key that ENCRYPTION_KEY no longer contains. Rotate the URL to get a new one.</p>
    </Callout>
  );
}
