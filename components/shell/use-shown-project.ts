'use client';

import { useEffect, useState } from 'react';
import { useProject } from '@/components/projects/use-projects';
import { readLastProject, rememberLastProject } from './last-project';

/**
 * The project that the navigation is about: the one the URL names, and on pages without one the one shown last, so that
 * the way back is there. Of the last one only the id is kept, maybe another person's: it counts when it is ours.
 */
export function useShownProject(named: string | undefined): string | undefined {
  const [last, setLast] = useState<string | undefined>(undefined);
  useEffect(() => {
    if (named !== undefined) rememberLastProject(named);
    setLast(readLastProject() ?? undefined);
  }, [named]);
  const { project } = useProject(named ?? last);
  return named ?? project?.id;
}
