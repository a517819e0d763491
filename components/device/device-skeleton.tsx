import { LogoMark, PRODUCT_NAME } from '@/components/shell/logo';
import { LoadingLabel, Skeleton } from '@/components/ui/skeleton';

/** The loading state of the device page. */
export function DeviceSkeleton() {
  return (
    <div className="flex min-h-dvh flex-col">
      <LoadingLabel />
      <header className="flex items-center justify-between gap-6 px-5 py-4 sm:px-8">
        <p className="flex items-center gap-2 font-semibold text-base">
          <LogoMark />
          {PRODUCT_NAME}
        </p>
        <Skeleton className="w-44" />
      </header>
      <main className="mx-auto flex w-full max-w-lg flex-1 flex-col justify-center px-4 py-8">
        <div className="rounded-xl border bg-surface p-5 shadow-raised sm:p-8">
          <Skeleton className="h-7 w-56" />
          <Skeleton className="mt-3 w-full" />
          <Skeleton className="mt-6 h-14 w-full" />
          <Skeleton className="mt-4 h-10 w-full" />
        </div>
      </main>
    </div>
  );
}
