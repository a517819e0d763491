'use client';

import { useRouter } from 'next/navigation';
import { refreshSession, sessionStore } from '@/components/auth-session/session';
import { useProjects } from '@/components/projects/use-projects';
import { forgetLastProject } from '@/components/shell/last-project';
import { switchOrganization } from './use-switch-organization';

/** What follows when an organization is gone for the person: on to another of theirs, or to the first steps. */
export function useAfterLeaving() {
  const router = useRouter();
  const { organizations, reload } = useProjects();
  return async (goneId: string) => {
    forgetLastProject();
    const next = organizations?.find(({ id }) => id !== goneId);
    // The organization is gone already: a session that could not be told so learns it at its next refresh.
    const settled = next ? switchOrganization(next.id) : refreshSession(sessionStore.session?.accessToken ?? null);
    await settled.then(
      () => undefined,
      () => undefined,
    );
    router.replace('/');
    await reload();
  };
}
