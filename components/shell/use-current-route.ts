'use client';

import { useParams, usePathname, useSearchParams } from 'next/navigation';
import { RETENTION_PATH } from './nav-items';

export interface CurrentRoute {
  projectId: string | undefined;
  organizationId: string | undefined;
  /** The page of the project or organization, such as `events` or `members`. */
  segment: string | undefined;
  pathname: string;
}

/** Returns the project, organization and page in the URL. The home page has its project in a query parameter. */
export function useCurrentRoute(): CurrentRoute {
  const { projectId, orgId } = useParams<{ projectId?: string; orgId?: string }>();
  const asked = useSearchParams().get('project');
  const pathname = usePathname();
  return {
    projectId: projectId ?? asked ?? undefined,
    organizationId: orgId,
    segment: pathname === RETENTION_PATH ? 'retention' : pathname.split('/')[3],
    pathname,
  };
}
