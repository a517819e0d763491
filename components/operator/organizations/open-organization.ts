'use client';

import { createContext, useContext } from 'react';

/** Replaces the list with the details of an organization. */
export const OpenOrganizationContext = createContext<((organizationId: string) => void) | null>(null);

export function useOpenOrganization() {
  const open = useContext(OpenOrganizationContext);
  if (open === null) throw new Error('useOpenOrganization outside OrganizationsPanel');
  return open;
}
