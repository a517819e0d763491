'use client';

import { Building2 } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { ErrorPanel } from '@/components/ui/error-panel';
import { LoadingLabel, Skeleton } from '@/components/ui/skeleton';
import { useOrganization } from './use-organization';

/** Shows the pages of an organization to its members. For others it does not exist, as in the API. */
export function OrganizationGate({ organizationId, children }: { organizationId: string; children: ReactNode }) {
  const { organization, error, reload } = useOrganization(organizationId);
  if (organization) return children;
  if (organization === null) return <NoSuchOrganization />;
  if (error) {
    return <ErrorPanel what="The organization could not be loaded" error={error} onRetry={() => void reload()} />;
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

function NoSuchOrganization() {
  return (
    <div className="mx-auto flex max-w-lg flex-col items-center px-4 py-12 text-center">
      <Building2 aria-hidden="true" className="mb-3 size-6 text-muted" />
      <h1 className="font-semibold text-base">Organization not found</h1>
      <p className="mt-1 text-balance text-muted text-sm">It may have been deleted, or you are no longer a member.</p>
      <Button asChild className="mt-4">
        <Link href="/">Go to the dashboard</Link>
      </Button>
    </div>
  );
}
