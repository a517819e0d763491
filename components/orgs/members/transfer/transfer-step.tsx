import type { ReactNode } from 'react';
import { Badge } from '@/components/ui/badge';

/** One of the two steps of a transfer. */
export function TransferStep({
  number,
  title,
  description,
  isDone = false,
  children,
}: {
  number: number;
  title: string;
  description: string;
  isDone?: boolean;
  children: ReactNode;
}) {
  return (
    <section className="rounded-lg border p-3.5">
      <h3 className="mb-1 flex items-center gap-2 font-medium text-sm">
        <span
          aria-hidden="true"
          className="inline-flex size-5 items-center justify-center rounded-full bg-accent-subtle text-accent-text text-xs"
        >
          {number}
        </span>
        {title}
        {isDone ? <Badge tone="success">Done</Badge> : null}
      </h3>
      <p className="text-muted text-sm">{description}</p>
      <div className="mt-2.5 flex flex-wrap gap-2">{children}</div>
    </section>
  );
}
