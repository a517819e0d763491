'use client';

import { createContext, use } from 'react';
import type { OrganizationProjects } from '@/components/projects/use-projects';

/** The reader of the documentation. */
export interface Reader {
  /** `unknown` until the session is restored. */
  status: 'unknown' | 'signed-out' | 'signed-in';
  /** The origin of the API. */
  baseUrl: string;
  /** Those of the signed-in reader; empty while they load. */
  organizations: readonly OrganizationProjects[];
  /** The project that examples use. */
  projectId: string | undefined;
  /** Its organization, or that of the session. */
  organizationId: string | undefined;
  chooseProject: (projectId: string) => void;
}

export const ReaderContext = createContext<Reader | null>(null);

/** Returns who reads the documentation, possibly nobody who is signed in. */
export function useReader(): Reader {
  const reader = use(ReaderContext);
  if (reader === null) throw new Error('useReader outside ReaderProvider');
  return reader;
}
