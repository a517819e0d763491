'use client';

import { Menu as MenuIcon, Search } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Drawer } from '@/components/ui/dialog';
import { Kbd } from '@/components/ui/kbd';
import { AccountMenu } from './account-menu';
import { type Opened, ShellDialogs } from './shell-dialogs';
import { Sidebar } from './sidebar';
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

function TopBar({ onMenu, onPalette }: { onMenu: () => void; onPalette: () => void }) {
  return (
    <header className="sticky top-0 z-20 flex h-13 items-center gap-2 border-b bg-background/90 px-4 backdrop-blur-sm sm:px-6">
      <Button variant="ghost" size="icon" aria-label="Open navigation" onClick={onMenu} className="-ml-2 lg:hidden">
        <MenuIcon aria-hidden="true" />
      </Button>
      <button
        type="button"
        onClick={onPalette}
        className="flex h-8 min-w-0 items-center gap-2 rounded-md border bg-surface px-2.5 text-muted text-sm shadow-raised hover:bg-sunken sm:w-64"
      >
        <Search aria-hidden="true" className="size-4 shrink-0" />
        <span className="truncate">Search or jump to…</span>
        <span className="ml-auto hidden items-center gap-0.5 sm:flex">
          <Kbd>Ctrl</Kbd>
          <Kbd>K</Kbd>
        </span>
      </button>
      <div className="ml-auto">
        <AccountMenu />
      </div>
    </header>
  );
}
