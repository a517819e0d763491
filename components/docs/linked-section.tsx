import { Link2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '@/components/ui/cn';

/** A part of a page below a heading that links to it. The navigation follows the reader by `data-heading`. */
export function LinkedSection({
  id,
  title,
  className,
  children,
}: {
  id: string;
  title: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <section id={id} data-heading="" aria-label={title} className={cn('mt-8 scroll-mt-26 lg:scroll-mt-16', className)}>
      <LinkedHeading id={id}>{title}</LinkedHeading>
      <div className="mt-3 grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3">{children}</div>
    </section>
  );
}

/** A heading with a link to itself, which shows on hover and focus. Its section has the id. */
export function LinkedHeading({ id, children }: { id: string; children: ReactNode }) {
  return (
    <h2 className="group font-semibold text-lg tracking-tight">
      {children}
      <a
        href={`#${id}`}
        aria-label="Link to this section"
        className="ml-1.5 inline-flex rounded align-middle text-muted opacity-0 hover:text-text focus-visible:opacity-100 group-hover:opacity-100"
      >
        <Link2 aria-hidden="true" className="size-4" />
      </a>
    </h2>
  );
}
