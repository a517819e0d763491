import type { ReactNode } from 'react';

/** The title of an auth page, and a sentence on what happens next. */
export function AuthHeading({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <header className="mb-6">
      <h1 className="text-balance font-semibold text-2xl tracking-tight">{title}</h1>
      {children ? <p className="mt-1 text-pretty text-muted text-sm">{children}</p> : null}
    </header>
  );
}
