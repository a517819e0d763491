import type { ReactNode } from 'react';

/** What the page is for, and in a sentence what comes of it. */
export function AuthHeading({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <header className="mb-6">
      <h1 className="text-balance font-semibold text-2xl tracking-tight">{title}</h1>
      {children ? <p className="mt-1 text-pretty text-muted text-sm">{children}</p> : null}
    </header>
  );
}
