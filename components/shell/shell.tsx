'use client';

import { Menu as MenuIcon, Search } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Drawer } from '@/components/ui/dialog';
import { Kbd } from '@/components/ui/kbd';
import { SkipLink } from '@/components/ui/link';
import { LoadingLabel, Skeleton } from '@/components/ui/skeleton';
import { AccountMenu } from './account-menu';
import { Brand } from './logo';
import { OfflineBar } from './offline-bar';
import { type Opened, ShellDialogs } from './shell-dialogs';
import { Sidebar } from './sidebar';
import { useHeadingFocus } from './use-heading-focus';
import { useCurrentRoute, useNavigationScope } from './use-navigation-scope';
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
      <SkipLink />
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
      <OfflineBar />
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

/** The loading state of the shell. */
export function ShellSkeleton() {
  return (
    <div className="lg:grid lg:grid-cols-[15rem_minmax(0,1fr)]">
      <LoadingLabel />
      <aside className="sticky top-0 hidden h-dvh border-r bg-surface p-3 lg:block">
        <Brand className="h-8 px-1" />
        <Skeleton className="mt-4 h-13 w-full" />
        {['w-24', 'w-28', 'w-24', 'w-32', 'w-20'].map((width, index) => (
          <Skeleton key={`${width}-${String(index)}`} className={`mt-4 ml-2 ${width}`} />
        ))}
      </aside>
      <div className="min-w-0">
        <div className="h-13 border-b" />
        <main className="mx-auto max-w-6xl px-4 py-6 sm:px-6">
          <Skeleton className="h-7 w-40" />
          <Skeleton className="mt-3 w-72 max-w-full" />
          <Skeleton className="mt-8 h-64 w-full" />
        </main>
      </div>
    </div>
  );
}
