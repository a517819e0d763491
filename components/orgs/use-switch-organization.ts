'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { describeError } from '@/components/auth-session/api-error';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { acceptSession, sessionStore } from '@/components/auth-session/session';
import { forgetLastProject } from '@/components/shell/last-project';
import { toast } from '@/components/ui/toast';
import type { SignedIn } from '@/lib/auth/schema';

/** Switches the session to another organization, in every tab. @throws ApiError */
export async function switchOrganization(organizationId: string): Promise<void> {
  const body = { organizationId };
  const session = await apiFetch<SignedIn>('/auth/switch-organization', { method: 'POST', body });
  // The person has signed out meanwhile, or another one has signed in.
  if (sessionStore.session?.user.id !== session.user.id) return;
  forgetLastProject();
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
