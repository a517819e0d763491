import { Link2 } from 'lucide-react';
import type { ReactNode } from 'react';

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
