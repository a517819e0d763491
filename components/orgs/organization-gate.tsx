'use client';

import type { ReactNode } from 'react';
import { ErrorPanel, MissingPage } from '@/components/ui/error-panel';
import { LoadingLabel, Skeleton } from '@/components/ui/skeleton';
import { useOrganization } from './use-organization';

/** Shows the pages of an organization to its members. For others it does not exist, as in the API. */
export function OrganizationGate({ children }: { children: ReactNode }) {
  const { organization, error, reload } = useOrganization();
  if (organization) return children;
  if (organization === null) {
    return (
      <MissingPage
        title="Organization not found"
        sentence="It may have been deleted, or you’re no longer a member."
        back={{ href: '/', label: 'Go to the dashboard' }}
      />
    );
  }
  if (error) {
    return <ErrorPanel what="We couldn’t load the organization" error={error} onRetry={() => void reload()} />;
  }
  return (
    <>
      <LoadingLabel />
      <Skeleton className="h-7 w-40" />
      <Skeleton className="mt-3 w-72 max-w-full" />
      <Skeleton className="mt-8 h-64 w-full" />
    </>
  );
}
