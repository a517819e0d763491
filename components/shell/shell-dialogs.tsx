'use client';

import dynamic from 'next/dynamic';
import { useEffect, useState } from 'react';
import { CreateOrganizationDialog } from '@/components/orgs/create-organization-dialog';
import { CreateProjectDialog } from '@/components/projects/create-project-dialog';
import { ShortcutsSheet } from './shortcuts-sheet';
import type { NavigationScope } from './use-navigation-scope';
import { useTypedMeanwhile } from './use-typed-meanwhile';

/** Loaded when it is first opened, with the search that only it uses. */
const CommandPalette = dynamic(() => import('./command-palette').then((part) => part.CommandPalette), { ssr: false });

/** What is open above the page; one at most. */
export type Opened = 'palette' | 'shortcuts' | 'navigation' | 'new-project' | 'new-organization' | null;

export interface ShellDialogsProps {
  openIs: (name: Opened) => { open: boolean; onOpenChange: (open: boolean) => void };
  scope: NavigationScope;
  actions: { onNewProject: () => void; onNewOrganization: () => void };
  onHelp: () => void;
}

/** The palette, the list of shortcuts and the forms of the shell. */
export function ShellDialogs({ openIs, scope, actions, onHelp }: ShellDialogsProps) {
  const palette = openIs('palette');
  const [isWanted, setWanted] = useState(false);
  useEffect(() => {
    if (palette.open) setWanted(true);
  }, [palette.open]);
  const takeTyped = useTypedMeanwhile(palette.open);
  return (
    <>
      {isWanted ? (
        <CommandPalette {...palette} scope={scope} {...actions} onHelp={onHelp} takeTyped={takeTyped} />
      ) : null}
      <ShortcutsSheet {...openIs('shortcuts')} />
      <CreateProjectDialog {...openIs('new-project')} organizationId={scope.organization?.id} />
      <CreateOrganizationDialog {...openIs('new-organization')} />
    </>
  );
}
