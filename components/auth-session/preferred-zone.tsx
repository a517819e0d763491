'use client';

import type { ReactNode } from 'react';
import useSWR from 'swr';
import { showTimesIn } from '@/components/ui/time-zone';
import type { Me } from '@/lib/auth/schema';
import { useSession } from './use-session';

/** Shows times in the zone of the account. It is known before the first page renders, so no time changes its zone. */
export function PreferredZone({ children }: { children: ReactNode }) {
  const { user } = useSession();
  // Without a fetcher it only follows what the pages load: the session is older than a change of the preference.
  const { data } = useSWR<Me>('/auth/me', null);
  showTimesIn((data?.user ?? user).timeZone);
  return children;
}
