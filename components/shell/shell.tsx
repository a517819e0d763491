'use client';

import { type ReactNode, useEffect, useState } from 'react';
import { Drawer } from '@/components/ui/dialog';
import { type Opened, ShellDialogs } from './shell-dialogs';
import { Sidebar } from './sidebar';
import { TopBar } from './top-bar';
import { useCurrentRoute } from './use-current-route';
import { useHeadingFocus } from './use-heading-focus';
import { useNavigationScope } from './use-navigation-scope';
import { useShortcuts } from './use-shortcuts';

/** The layout of every signed-in page: navigation, top bar, command palette and shortcuts. */
export function Shell({ children }: { children: ReactNode }) {
  const route = useCurrentRoute();
  const scope = useNavigationScope(route);
  const { projectId, organization } = scope;
  useHeadingFocus(route.pathname);
  const [opened, setOpened] = useState<Opened>(null);
  const openIs = (name: Opened) => ({
    open: opened === name,
    onOpenChange: (open: boolean) => setOpened((now) => (open ? name : now === name ? null : now)),
  });
  useShortcuts({
    scope: { projectId, organizationId: organization?.id },
    openPalette: () => setOpened('palette'),
    openHelp: () => setOpened('shortcuts'),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever is open belongs to the previous page
  useEffect(() => setOpened(null), [route.pathname]);
  const actions = {
    onNewProject: () => setOpened('new-project'),
    onNewOrganization: () => setOpened('new-organization'),
  };
  return (
    <div className="lg:grid lg:grid-cols-[15rem_minmax(0,1fr)]">
      <a
        href="#main"
        className="sr-only z-50 rounded-md bg-accent px-3 py-2 text-on-accent text-sm focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <aside className="sticky top-0 hidden h-dvh overflow-y-auto border-r bg-surface lg:block">
        <Sidebar route={route} scope={scope} {...actions} />
      </aside>
      <div className="min-w-0">
        <TopBar onMenu={() => setOpened('navigation')} onPalette={() => setOpened('palette')} />
        <main id="main" tabIndex={-1} className="mx-auto w-full max-w-6xl px-4 py-6 outline-none sm:px-6">
          {children}
        </main>
      </div>
      <Drawer {...openIs('navigation')} title="Navigation">
        <Sidebar route={route} scope={scope} {...actions} onNavigate={() => setOpened(null)} />
      </Drawer>
      <ShellDialogs openIs={openIs} scope={scope} actions={actions} onHelp={() => setOpened('shortcuts')} />
    </div>
  );
}
