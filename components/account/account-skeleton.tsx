import { LoadingLabel, Skeleton } from '@/components/ui/skeleton';

const SECTIONS = ['h-44', 'h-18', 'h-52', 'h-28', 'h-16'];

/** The loading state of the account page. */
export function AccountSkeleton() {
  return (
    <>
      <LoadingLabel />
      {SECTIONS.map((height) => (
        <div
          key={height}
          className="grid gap-x-10 gap-y-3 border-t py-6 first-of-type:border-t-0 first-of-type:pt-1 lg:grid-cols-[17rem_minmax(0,1fr)]"
        >
          <div>
            <Skeleton className="w-24" />
            <Skeleton className="mt-2 w-48" />
          </div>
          <Skeleton className={`max-w-2xl rounded-lg ${height}`} />
        </div>
      ))}
    </>
  );
}
