'use client';

import { CircleCheck, CircleSlash } from 'lucide-react';
import { useRouter, useSearchParams } from 'next/navigation';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import useSWR from 'swr';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { RequireSession } from '@/components/auth-session/require-session';
import { leave } from '@/components/auth-session/session';
import { useSession } from '@/components/auth-session/use-session';
import { Brand } from '@/components/shell/logo';
import { Button } from '@/components/ui/button';
import { Link } from '@/components/ui/link';
import { LoadingLabel, Skeleton } from '@/components/ui/skeleton';
import type { DeviceRequest } from '@/lib/auth/schema';
import { CodeForm, formatUserCode, readUserCode } from './code-form';
import { RequestReview } from './request-review';

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
        <Brand />
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
        <Link href="/" className="rounded-md">
          <Brand />
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

/** Leads from the code to the decision. The code is in the URL, so that a reload and the Back button keep it. */
function DeviceApproval() {
  const router = useRouter();
  const asked = useSearchParams().get('userCode') ?? '';
  const userCode = readUserCode(asked);
  const [decided, setDecided] = useState<{ userCode: string; approved: boolean; clientName: string | null } | null>(
    null,
  );
  // A decided request cannot be looked up again.
  const isDecided = decided !== null && decided.userCode === userCode;
  const { request, error, loading, lookAgain, approve, deny } = useDeviceRequest(isDecided ? null : userCode);
  const enterAnother = () => router.push('/device');
  if (isDecided) return <DeviceOutcome {...decided} onAnother={enterAnother} />;
  if (request === undefined || userCode === null) {
    return (
      <CodeForm
        key={asked}
        initialCode={formatUserCode(asked)}
        loading={loading}
        error={error}
        onSubmit={(code) => {
          if (code === userCode) void lookAgain();
          else router.push(`/device?${new URLSearchParams({ userCode: code })}`);
        }}
      />
    );
  }
  const decide = async (approved: boolean) => {
    await (approved ? approve() : deny());
    setDecided({ userCode, approved, clientName: request.clientName });
  };
  return (
    <RequestReview
      key={userCode}
      userCode={userCode}
      request={request}
      onDecide={decide}
      onGone={() => void lookAgain()}
      onAnother={enterAnother}
    />
  );
}

/**
 * Loads the request of a user code. Never retries or reloads on its own: each lookup counts against the limit on
 * guessing codes.
 */
function useDeviceRequest(userCode: string | null) {
  const { data, error, isValidating, mutate } = useSWR<DeviceRequest>(
    userCode === null ? null : `/auth/device?${new URLSearchParams({ userCode })}`,
    { revalidateOnFocus: false, revalidateOnReconnect: false, revalidateIfStale: false, shouldRetryOnError: false },
  );
  const answer = (verb: 'approve' | 'deny') =>
    apiFetch(`/auth/device/${verb}`, { method: 'POST', body: { userCode } }).then(() => undefined);
  return {
    request: data,
    error: isValidating ? undefined : (error as unknown),
    loading: isValidating && data === undefined,
    lookAgain: () => mutate(undefined, { revalidate: true }),
    approve: () => answer('approve'),
    deny: () => answer('deny'),
  };
}

/** Says whether the device was approved. */
function DeviceOutcome({
  approved,
  clientName,
  onAnother,
}: {
  approved: boolean;
  clientName: string | null;
  onAnother: () => void;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const Icon = approved ? CircleCheck : CircleSlash;
  const client = clientName ?? 'The device';
  return (
    <div className="flex flex-col items-center text-center">
      <Icon aria-hidden="true" className={approved ? 'size-10 text-success-text' : 'size-10 text-muted'} />
      <h1 ref={heading} tabIndex={-1} className="mt-4 font-semibold text-2xl tracking-tight outline-none">
        {approved ? 'Approved' : 'Denied'}
      </h1>
      <p className="mt-1 max-w-sm text-balance break-words text-muted text-sm">
        {approved
          ? `${client} is signing in. You can close this page and return to your device.`
          : `${client} didn’t get access. You can close this page.`}
      </p>
      <div className="mt-6 flex flex-wrap justify-center gap-2">
        {approved ? (
          <Button asChild size="lg">
            <Link href="/account/sessions">View sessions</Link>
          </Button>
        ) : null}
        <Button size="lg" variant="ghost" onClick={onAnother}>
          Enter another code
        </Button>
      </div>
    </div>
  );
}
