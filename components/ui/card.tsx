import type { ReactNode } from 'react';
import { cn } from './cn';

/** A bordered section of a page, with an optional title and actions. */
export function Card({
  title,
  description,
  actions,
  children,
  className,
  flush = false,
}: {
  title?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  className?: string;
  /** Removes the padding, for tables and code. */
  flush?: boolean;
}) {
  return (
    <section className={cn('min-w-0 overflow-hidden rounded-lg border bg-surface shadow-raised', className)}>
      {title ? (
        <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b px-4 py-3">
          <div className="min-w-0">
            <h2 className="font-semibold text-base">{title}</h2>
            {description ? <p className="text-muted text-sm">{description}</p> : null}
          </div>
          {actions ? <div className="flex flex-wrap items-center gap-2">{actions}</div> : null}
        </header>
      ) : null}
      <div className={flush ? '' : 'p-4'}>{children}</div>
    </section>
  );
}
