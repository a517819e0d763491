import { LoadingLabel, Skeleton } from '@/components/ui/skeleton';
import { LogoMark, PRODUCT_NAME } from './logo';

/** The loading state of the shell. */
export function ShellSkeleton() {
  return (
    <div className="lg:grid lg:grid-cols-[15rem_minmax(0,1fr)]">
      <LoadingLabel />
      <aside className="sticky top-0 hidden h-dvh border-r bg-surface p-3 lg:block">
        <p className="flex h-8 items-center gap-2 px-1 font-semibold text-base">
          <LogoMark />
          {PRODUCT_NAME}
        </p>
        <Skeleton className="mt-4 h-13 w-full" />
        {['w-24', 'w-28', 'w-24', 'w-32', 'w-20'].map((width, index) => (
          <Skeleton key={`${width}-${String(index)}`} className={`mt-4 ml-2 ${width}`} />
        ))}
      </aside>
      <div className="min-w-0">
        <div className="h-13 border-b" />
        <main className="mx-auto max-w-6xl px-4 py-6 sm:px-6">
          <Skeleton className="h-7 w-40" />
          <Skeleton className="mt-3 w-72 max-w-full" />
          <Skeleton className="mt-8 h-64 w-full" />
        </main>
      </div>
    </div>
  );
}
