'use client';

import { usePathname } from 'next/navigation';
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import { loginPath } from '@/components/auth-session/return-to';
import { followOtherTabs, mayHaveSession } from '@/components/auth-session/session';
import { SessionData } from '@/components/auth-session/session-data';
import { restoreSession, useSessionState } from '@/components/auth-session/use-session';
import { type OrganizationProjects, useProjects } from '@/components/projects/use-projects';
import { chooseScope, LAST_PROJECT } from '@/components/shell/use-navigation-scope';
import { Link } from '@/components/ui/link';
import { Select } from '@/components/ui/select';
import { readStored, writeStored } from '@/components/ui/stored';
import { useBaseUrl } from '@/components/ui/use-base-url';

/** The reader of the documentation. */
interface Reader {
  /** `unknown` until the session is restored. */
  status: 'unknown' | 'signed-out' | 'signed-in';
  /** The origin of the API. */
  baseUrl: string;
  /** Those of the signed-in reader; empty while they load. */
  organizations: readonly OrganizationProjects[];
  /** The project that examples use. */
  projectId: string | undefined;
  /** Its organization, or that of the session. */
  organizationId: string | undefined;
  chooseProject: (projectId: string) => void;
  /** The language of the examples of all pages; null for the first one. */
  language: string | null;
  chooseLanguage: (language: string) => void;
}

const ReaderContext = createContext<Reader | null>(null);

/** Returns who reads the documentation, possibly nobody who is signed in. */
export function useReader(): Reader {
  const reader = use(ReaderContext);
  if (reader === null) throw new Error('useReader outside ReaderProvider');
  return reader;
}

const LANGUAGE = 'eds-docs-language';

/**
 * Tells the pages below who reads them. The build renders them for a reader without a session.
 * @param baseUrl for readers without JavaScript
 */
export function ReaderProvider({ baseUrl, children }: { baseUrl: string; children: ReactNode }) {
  const state = useSessionState();
  const [isStranger, setIsStranger] = useState(true);
  const [organizations, setOrganizations] = useState<readonly OrganizationProjects[]>([]);
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const [language, setLanguage] = useState<string | null>(null);
  const origin = useBaseUrl();
  useEffect(() => {
    const unfollow = followOtherTabs();
    setLanguage(readStored(LANGUAGE));
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
      lastProjectId: readStored(LAST_PROJECT),
      homeId: session?.organization?.id,
    });
    return {
      status: session !== null ? 'signed-in' : state.status === 'unknown' && !isStranger ? 'unknown' : 'signed-out',
      baseUrl: origin || baseUrl,
      organizations,
      projectId: project?.id,
      organizationId: organization?.id ?? session?.organization?.id,
      chooseProject: setChosen,
      language,
      chooseLanguage: (next) => {
        writeStored(LANGUAGE, next);
        setLanguage(next);
      },
    };
  }, [session, state.status, isStranger, origin, baseUrl, organizations, chosen, language]);
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

/** Says whose project the examples have, and lets a reader with several choose. */
export function ReaderBar() {
  const { status, organizations, projectId, chooseProject } = useReader();
  const projects = organizations.flatMap((organization) =>
    organization.projects.map(({ id, name }) => ({ value: id, label: name, description: organization.name })),
  );
  if (status === 'signed-out') {
    return (
      <p className="text-muted text-sm">
        <SignInLink className="font-medium text-accent-text hover:underline">Sign in</SignInLink> to use your project in
        the examples.
      </p>
    );
  }
  if (projects.length === 0) return <div className="h-8" />;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="text-muted text-sm">Examples use</span>
      <Select
        aria-label="Project of the examples"
        value={projectId}
        onValueChange={chooseProject}
        options={projects}
        className="h-8 w-52"
      />
    </div>
  );
}

interface SignInLinkProps {
  className: string;
  /** The part of this page to return to. */
  anchor?: string;
  children: ReactNode;
}

/** Leads to the sign-in page and back to this one. */
export function SignInLink({ className, anchor, children }: SignInLinkProps) {
  const pathname = usePathname();
  return (
    <Link
      href={loginPath(anchor === undefined ? pathname : `${pathname}#${anchor}`)}
      prefetch={false}
      className={className}
    >
      {children}
    </Link>
  );
}
