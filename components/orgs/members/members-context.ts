'use client';

import { createContext, useContext } from 'react';
import type { Role } from '@/components/projects/role-disabled-reason';
import type { Member } from '@/lib/orgs/schema';

export interface MemberActions {
  mine: Role | undefined;
  ownId: string;
  lastOwnerId: string | undefined;
  /** The member whose role is being changed. */
  changingId: string | null;
  changeRole: (member: Member, role: Role) => void;
  remove: (member: Member) => void;
  transfer: (member: Member) => void;
}

/** The actions of a row. A context, so that columns can stay at module scope. */
export const MemberActionsContext = createContext<MemberActions>({
  mine: undefined,
  ownId: '',
  lastOwnerId: undefined,
  changingId: null,
  changeRole: () => {},
  remove: () => {},
  transfer: () => {},
});

export function useMemberActions(): MemberActions {
  return useContext(MemberActionsContext);
}
