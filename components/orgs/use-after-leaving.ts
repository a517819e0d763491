'use client';

import { useRouter } from 'next/navigation';
import { refreshSession, sessionStore } from '@/components/auth-session/session';
import { useProjects } from '@/components/projects/use-projects';
import { forgetLastProject } from '@/components/shell/last-project';
import { switchOrganization } from './use-switch-organization';

/** Returns what to do after leaving or deleting an organization: switches to another one, or to the setup guide. */
export function useAfterLeaving() {
  const router = useRouter();
  const { organizations, reload } = useProjects();
  return async (goneId: string) => {
    forgetLastProject();
    const next = organizations?.find(({ id }) => id !== goneId);
    // If this fails, the session learns at its next refresh that the organization is gone.
    const settled = next ? switchOrganization(next.id) : refreshSession(sessionStore.session?.accessToken ?? null);
    await settled.then(
      () => undefined,
      () => undefined,
    );
    router.replace('/');
    await reload();
  };
}
