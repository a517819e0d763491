'use client';

import { createContext, useContext } from 'react';

/** Opens the detail of an organization in place of the list. */
export const OpenOrganizationContext = createContext<((organizationId: string) => void) | null>(null);

export function useOpenOrganization() {
  const open = useContext(OpenOrganizationContext);
  if (open === null) throw new Error('useOpenOrganization outside OrganizationsPanel');
  return open;
}
