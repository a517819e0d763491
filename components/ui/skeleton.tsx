import { cn } from './cn';

/** A placeholder for loading content. Invisible for the first 200 ms, so that fast responses do not flicker. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <div aria-hidden="true" className="animate-appear">
      <div className={cn('h-4 animate-pulse rounded bg-sunken dark:bg-border', className)} />
    </div>
  );
}

/** Announces to screen readers that content is loading. */
export function LoadingLabel({ children = 'Loading' }: { children?: string }) {
  return (
    <p role="status" className="sr-only">
      {children}
    </p>
  );
}
