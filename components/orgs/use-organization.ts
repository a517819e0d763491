'use client';

import { useParams, useRouter } from 'next/navigation';
import { useState } from 'react';
import { describeError } from '@/components/auth-session/api-error';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { acceptSession, refreshSession, sessionStore } from '@/components/auth-session/session';
import { useMe, useProject, useProjectId, useProjects } from '@/components/projects/use-projects';
import { LAST_PROJECT } from '@/components/shell/use-navigation-scope';
import { writeStored } from '@/components/ui/stored';
import { toast } from '@/components/ui/toast';
import type { SignedIn } from '@/lib/auth/schema';
import type { OrganizationSummary } from '@/lib/orgs/schema';

/** Returns the organization of the page: undefined while loading, null when the person is not a member. */
export function useOrganization() {
  const { orgId: organizationId } = useParams<{ orgId: string }>();
  const { data, error, mutate } = useMe();
  const found = data?.organizations.find(({ id }) => id === organizationId);
  const organization = data === undefined ? undefined : (found ?? null);
  return { organizationId, organization, error, reload: () => mutate() };
}

/** Returns the organization of the page, or of its project; undefined while it loads. */
export function usePageOrganization(): OrganizationSummary | undefined {
  const { organization } = useOrganization();
  const { project } = useProject(useProjectId());
  return organization ?? project?.organization;
}

/** Switches the session to another organization, in every tab. @throws ApiError */
export async function switchOrganization(organizationId: string): Promise<void> {
  const body = { organizationId };
  const session = await apiFetch<SignedIn>('/auth/switch-organization', { method: 'POST', body });
  // The person has signed out meanwhile, or another one has signed in.
  if (sessionStore.session?.user.id !== session.user.id) return;
  writeStored(LAST_PROJECT, null);
  acceptSession(session);
}

/** Switches to an organization and opens its home page. */
export function useSwitchOrganization() {
  const router = useRouter();
  const [switching, setSwitching] = useState(false);
  const switchTo = async (organizationId: string) => {
    setSwitching(true);
    try {
      await switchOrganization(organizationId);
      router.push('/');
    } catch (thrown) {
      toast.error(`We couldn’t switch the organization. ${describeError(thrown).detail}`);
    } finally {
      setSwitching(false);
    }
  };
  return { switchTo, switching };
}

/** Returns what to do after leaving or deleting an organization: switches to another one, or to the setup guide. */
export function useAfterLeaving() {
  const router = useRouter();
  const { organizations, reload } = useProjects();
  return async (goneId: string) => {
    writeStored(LAST_PROJECT, null);
    const next = organizations?.find(({ id }) => id !== goneId);
    // If this fails, the session learns at its next refresh that the organization is gone.
    const settled = next ? switchOrganization(next.id) : refreshSession(sessionStore.session?.accessToken ?? null);
    await Promise.allSettled([settled]);
    router.replace('/');
    await reload();
  };
}
