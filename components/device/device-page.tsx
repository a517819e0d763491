'use client';

import type { ReactNode } from 'react';
import { leave } from '@/components/auth-session/leave';
import { RequireSession } from '@/components/auth-session/require-session';
import { useSession } from '@/components/auth-session/use-session';
import { LogoMark, PRODUCT_NAME } from '@/components/shell/logo';
import { Button } from '@/components/ui/button';
import { Link } from '@/components/ui/link';
import { LoadingLabel, Skeleton } from '@/components/ui/skeleton';
import { DeviceApproval } from './device-approval';

/** The page where a person approves a device by its code (RFC 8628). Opening it approves nothing. */
export function DevicePage() {
  return (
    <RequireSession skeleton={<DeviceSkeleton />} returnsHere>
      <DeviceLayout>
        <DeviceApproval />
      </DeviceLayout>
    </RequireSession>
  );
}

/** The loading state of the device page. */
function DeviceSkeleton() {
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

/** A page without navigation that always shows which account is signed in. */
function DeviceLayout({ children }: { children: ReactNode }) {
  const { user } = useSession();
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-4 sm:px-8">
        <Link href="/" className="flex items-center gap-2 rounded-md font-semibold text-base">
          <LogoMark />
          {PRODUCT_NAME}
        </Link>
        <p className="order-last w-full min-w-0 text-muted text-sm sm:order-none sm:ml-auto sm:w-auto">
          Signed in as <span className="wrap-anywhere font-medium text-text">{user.email}</span>. Not you?
        </p>
        <Button size="sm" className="max-sm:ml-auto" onClick={leave}>
          Sign out
        </Button>
      </header>
      <main className="mx-auto flex w-full max-w-lg flex-1 flex-col justify-center px-4 py-8">
        <div className="rounded-xl border bg-surface p-5 shadow-raised sm:p-8">{children}</div>
      </main>
    </div>
  );
}
