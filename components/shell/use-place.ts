'use client';

import { useParams, usePathname, useSearchParams } from 'next/navigation';

export interface Place {
  projectId: string | undefined;
  segment: string | undefined;
  pathname: string;
}

/** Which project and page the URL names. The start page names its project by a parameter. */
export function usePlace(): Place {
  const { projectId } = useParams<{ projectId?: string }>();
  const asked = useSearchParams().get('project');
  const pathname = usePathname();
  return { projectId: projectId ?? asked ?? undefined, segment: pathname.split('/')[3], pathname };
}
