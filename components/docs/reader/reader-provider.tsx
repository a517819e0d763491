'use client';

import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { followOtherTabs } from '@/components/auth-session/session';
import { SessionData } from '@/components/auth-session/session-data';
import { mayHaveSession } from '@/components/auth-session/session-hint';
import { restoreSession } from '@/components/auth-session/session-refresher';
import { useSessionState } from '@/components/auth-session/use-session';
import { type OrganizationProjects, useProjects } from '@/components/projects/use-projects';
import { chooseScope } from '@/components/shell/choose-scope';
import { readLastProject } from '@/components/shell/last-project';
import { useBaseUrl } from '@/components/ui/use-base-url';
import { type Reader, ReaderContext } from './reader-context';

/** Tells the pages below who reads them. The build renders them for a reader without a session. */
export function ReaderProvider({
  baseUrl,
  children,
}: {
  /** For readers without JavaScript. */
  baseUrl: string;
  children: ReactNode;
}) {
  const state = useSessionState();
  const [isStranger, setIsStranger] = useState(true);
  const [organizations, setOrganizations] = useState<readonly OrganizationProjects[]>([]);
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const origin = useBaseUrl();
  useEffect(() => {
    const unfollow = followOtherTabs();
    if (mayHaveSession()) {
      setIsStranger(false);
      void restoreSession();
    }
    return unfollow;
  }, []);
  useEffect(() => {
    if (state.status === 'replaced') window.location.reload();
    if (state.status !== 'signed-in') setOrganizations([]);
  }, [state.status]);
  const session = state.status === 'signed-in' ? state.session : null;
  const reader = useMemo<Reader>(() => {
    const { project, organization } = chooseScope(organizations, {
      projectId: chosen,
      organizationId: undefined,
      lastProjectId: readLastProject(),
      homeId: session?.organization?.id,
    });
    return {
      status: session !== null ? 'signed-in' : state.status === 'unknown' && !isStranger ? 'unknown' : 'signed-out',
      baseUrl: origin || baseUrl,
      organizations,
      projectId: project?.id,
      organizationId: organization?.id ?? session?.organization?.id,
      chooseProject: setChosen,
    };
  }, [session, state.status, isStranger, origin, baseUrl, organizations, chosen]);
  return (
    <ReaderContext value={reader}>
      {children}
      {session === null ? null : (
        <SessionData key={session.user.id}>
          <LoadOrganizations onLoad={setOrganizations} />
        </SessionData>
      )}
    </ReaderContext>
  );
}

/** Loads the reader's projects beside the page, so that the page stays as it is. */
function LoadOrganizations({ onLoad }: { onLoad: (organizations: readonly OrganizationProjects[]) => void }) {
  const { organizations } = useProjects();
  // Each render makes another list; its content tells whether it has changed.
  const loaded = JSON.stringify(organizations ?? null);
  useEffect(() => {
    const present: readonly OrganizationProjects[] | null = JSON.parse(loaded);
    if (present !== null) onLoad(present);
  }, [loaded, onLoad]);
  return null;
}
