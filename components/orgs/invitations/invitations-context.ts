'use client';

import { createContext, useContext } from 'react';
import type { Role } from '@/components/projects/role-disabled-reason';
import type { Invitation } from '@/lib/orgs/schema';

export interface InvitationActions {
  mine: Role | undefined;
  sendAgain: (invitation: Invitation) => void;
  copyLink: (invitation: Invitation) => void;
  revoke: (invitation: Invitation) => void;
}

/** The actions of a row. A context, so that columns can stay at module scope. */
export const InvitationActionsContext = createContext<InvitationActions>({
  mine: undefined,
  sendAgain: () => {},
  copyLink: () => {},
  revoke: () => {},
});

export function useInvitationActions(): InvitationActions {
  return useContext(InvitationActionsContext);
}
