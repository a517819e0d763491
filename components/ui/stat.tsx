import type { ReactNode } from 'react';
import { cn } from './cn';

/** A label and its value, inside a `<dl>`. */
export function Stat({ label, children, className }: { label: string; children: ReactNode; className?: string }) {
  return (
    <div className={cn('min-w-0', className)}>
      <dt className="text-muted text-xs">{label}</dt>
      <dd className="mt-0.5 min-w-0 break-words text-sm">{children}</dd>
    </div>
  );
}

/** A responsive row of stats. */
export function StatList({ children }: { children: ReactNode }) {
  return <dl className="grid grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] gap-x-6 gap-y-4">{children}</dl>;
}

/** A label and its value on one line, inside a `<dl>`. */
export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[6.75rem_minmax(0,1fr)] gap-3">
      <dt className="text-muted">{label}</dt>
      <dd className="wrap-anywhere min-w-0 font-medium">{children}</dd>
    </div>
  );
}

/** A dash where a value is missing. `label` says it to screen readers. */
export function NoValue({ label = 'None' }: { label?: string }) {
  return (
    <span className="text-muted">
      <span aria-hidden="true">–</span>
      <span className="sr-only">{label}</span>
    </span>
  );
}

/** An event type. In narrow columns it is truncated, with the full text in a tooltip. */
export function TypeName({ children }: { children: string }) {
  return (
    <code title={children} className="font-mono text-xs max-sm:break-all sm:block sm:max-w-64 sm:truncate">
      {children}
    </code>
  );
}
