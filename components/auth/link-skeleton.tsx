import { LoadingLabel, Skeleton } from '@/components/ui/skeleton';

/** The page of an emailed link while the link is read: a heading, its content and a button. */
export function LinkSkeleton({ heading, content }: { heading: string; content: string }) {
  return (
    <div>
      <LoadingLabel />
      <Skeleton className={`h-7 ${heading}`} />
      <Skeleton className={`mt-6 w-full ${content}`} />
      <Skeleton className="mt-4 h-10 w-full" />
    </div>
  );
}
