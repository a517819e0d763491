import { LoadingLabel, Skeleton } from '@/components/ui/skeleton';

export function FirstStepsSkeleton() {
  return (
    <div className="mx-auto max-w-3xl">
      <LoadingLabel />
      <Skeleton className="h-7 w-72 max-w-full" />
      <Skeleton className="mt-3 mb-8 w-96 max-w-full" />
      {['a', 'b', 'c', 'd'].map((key) => (
        <Skeleton key={key} className="mb-8 h-6 w-56" />
      ))}
    </div>
  );
}
