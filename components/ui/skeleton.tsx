import { cn } from './cn';

/** A grey block in the shape of what comes. Invisible for the first 200 ms: a fast answer never flickers. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <div aria-hidden="true" className="animate-appear">
      <div className={cn('h-4 animate-pulse rounded bg-sunken dark:bg-border', className)} />
    </div>
  );
}

/** Says once, to those who listen, that something is on its way. */
export function LoadingLabel({ children = 'Loading' }: { children?: string }) {
  return (
    <p role="status" className="sr-only">
      {children}
    </p>
  );
}
