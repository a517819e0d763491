'use client';

import { CreateOrganizationDialog } from '@/components/orgs/create-organization-dialog';
import { CreateProjectDialog } from '@/components/projects/create-project-dialog';
import { CommandPalette } from './command-palette';
import { ShortcutsSheet } from './shortcuts-sheet';
import type { NavigationScope } from './use-navigation-scope';

/** What is open above the page; one at most. */
export type Opened = 'palette' | 'shortcuts' | 'navigation' | 'new-project' | 'new-organization' | null;

export interface LoadedShellDialogsProps {
  openIs: (name: Opened) => { open: boolean; onOpenChange: (open: boolean) => void };
  scope: NavigationScope;
  actions: { onNewProject: () => void; onNewOrganization: () => void };
  onHelp: () => void;
  /** Returns what the person typed before the field of the palette had the focus. */
  takeTyped: () => string;
}

/** The dialogs of the shell, once their code is loaded. */
export function LoadedShellDialogs({ openIs, scope, actions, onHelp, takeTyped }: LoadedShellDialogsProps) {
  return (
    <>
      <CommandPalette {...openIs('palette')} scope={scope} {...actions} onHelp={onHelp} takeTyped={takeTyped} />
      <ShortcutsSheet {...openIs('shortcuts')} />
      <CreateProjectDialog {...openIs('new-project')} organizationId={scope.organization?.id} />
      <CreateOrganizationDialog {...openIs('new-organization')} />
    </>
  );
}
