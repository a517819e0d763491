import { type ReactNode, useId } from 'react';
import { cn } from '@/components/ui/cn';

/** A section of a settings page: its title and description, and its controls beside them on wide screens. */
export function AccountSection({
  title,
  description,
  tone,
  children,
}: {
  title: string;
  description: ReactNode;
  tone?: 'danger';
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid gap-x-10 gap-y-3 border-t py-6 first:border-t-0 first:pt-1 lg:grid-cols-[17rem_minmax(0,1fr)]"
    >
      <div className="min-w-0">
        <h2 id={id} className="font-semibold text-base">
          {title}
        </h2>
        <div className="mt-0.5 max-w-prose text-muted text-sm">{description}</div>
      </div>
      <div
        className={cn(
          'min-w-0 max-w-2xl rounded-lg border bg-surface p-4 shadow-raised',
          tone === 'danger' && 'border-danger-text/40',
        )}
      >
        {children}
      </div>
    </section>
  );
}
