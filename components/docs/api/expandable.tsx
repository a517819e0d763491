import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';

/** Content behind a line that opens it, also without JavaScript. */
export function Expandable({
  closed,
  opened = closed.replace(/^Show/, 'Hide'),
  label = null,
  children,
}: {
  /** The line while the content is hidden. */
  closed: string;
  /** The line while the content is shown. */
  opened?: string;
  /** Precedes the line: what the content is about. */
  label?: ReactNode;
  children: ReactNode;
}) {
  return (
    <details className="group/details mt-1.5">
      <summary className="inline-flex cursor-pointer list-none flex-wrap items-center gap-x-1 gap-y-0.5 rounded font-medium text-accent-text text-xs hover:underline [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden="true" className="size-3.5 group-open/details:rotate-90" />
        {label === null ? null : <code className="mr-1 font-mono font-normal text-text">{label}</code>}
        <span className="group-open/details:hidden">{closed}</span>
        <span className="hidden group-open/details:inline">{opened}</span>
      </summary>
      {children}
    </details>
  );
}
