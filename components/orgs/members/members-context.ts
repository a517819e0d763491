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

/** What a row of the table can ask of the page; columns stay at module scope because of it. */
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
