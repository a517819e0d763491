import { cn } from './cn';

/** A placeholder for loading content. Invisible for the first 200 ms, so that fast responses do not flicker. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <div aria-hidden="true" className="animate-appear">
      <div className={cn('h-4 animate-pulse rounded bg-sunken dark:bg-border', className)} />
    </div>
  );
}

/** A loading page: placeholders of its parts, one below the other. Takes the class of each. */
export function PageSkeleton({ parts }: { parts: readonly string[] }) {
  return (
    <div className="grid gap-4">
      <LoadingLabel />
      {parts.map((size, index) => (
        <Skeleton key={`${size}-${String(index)}`} className={size} />
      ))}
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
