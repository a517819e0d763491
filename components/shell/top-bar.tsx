'use client';

import { Menu as MenuIcon, Search } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { Kbd } from '@/components/ui/kbd';
import { AccountMenu } from './account-menu';

export function TopBar({ onMenu, onPalette }: { onMenu: () => void; onPalette: () => void }) {
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
