'use client';

import dynamic from 'next/dynamic';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { NavigationScope } from './use-navigation-scope';

const CommandPalette = dynamic(() => import('./command-palette').then((part) => part.CommandPalette));
const ShortcutsSheet = dynamic(() => import('./shortcuts-sheet').then((part) => part.ShortcutsSheet));
const CreateProjectDialog = dynamic(() =>
  import('@/components/projects/create-project-dialog').then((part) => part.CreateProjectDialog),
);
const CreateOrganizationDialog = dynamic(() =>
  import('@/components/orgs/create-organization-dialog').then((part) => part.CreateOrganizationDialog),
);

const NAMES = ['palette', 'shortcuts', 'new-project', 'new-organization'] as const;

/** What is open above the page; one at most. */
export type Opened = 'palette' | 'shortcuts' | 'navigation' | 'new-project' | 'new-organization' | null;

interface ShellDialogsProps {
  openIs: (name: Opened) => { open: boolean; onOpenChange: (open: boolean) => void };
  scope: NavigationScope;
  actions: { onNewProject: () => void; onNewOrganization: () => void };
  onHelp: () => void;
}

/** The palette, the list of shortcuts and the forms of the shell. Their code is loaded with the first of them. */
export function ShellDialogs({ openIs, scope, actions, onHelp }: ShellDialogsProps) {
  const isOpen = NAMES.some((name) => openIs(name).open);
  const [wasOpened, setWasOpened] = useState(false);
  useEffect(() => {
    if (isOpen) setWasOpened(true);
  }, [isOpen]);
  const palette = openIs('palette');
  const organization = openIs('new-organization');
  const takeTyped = useTypedMeanwhile(palette.open);
  if (!wasOpened) return null;
  return (
    <>
      <CommandPalette {...palette} scope={scope} {...actions} onHelp={onHelp} takeTyped={takeTyped} />
      <ShortcutsSheet {...openIs('shortcuts')} />
      <CreateProjectDialog {...openIs('new-project')} organizationId={scope.organization?.id} />
      {organization.open ? <CreateOrganizationDialog onClose={() => organization.onOpenChange(false)} /> : null}
    </>
  );
}

/**
 * Collects what a person types between opening a field and its focus, also while its code is being loaded, so that no key is
 * lost. The field takes the text with the returned function when it gets the focus, which ends the collection.
 * @param isOpen whether the field is open or being loaded
 * @returns takes the text, with a line break where Enter was pressed
 */
function useTypedMeanwhile(isOpen: boolean): () => string {
  const typed = useRef('');
  const stop = useRef(() => {});
  useEffect(() => {
    if (!isOpen) return;
    const collect = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isInDialog(event.target)) return;
      if (event.key === 'Backspace') typed.current = typed.current.slice(0, -1);
      else if (event.key.length === 1) typed.current += event.key;
      else if (event.key === 'Enter') typed.current += '\n';
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('keydown', collect, true);
    stop.current = () => {
      window.removeEventListener('keydown', collect, true);
      typed.current = '';
    };
    return stop.current;
  }, [isOpen]);
  return useCallback(() => {
    const text = typed.current;
    stop.current();
    return text;
  }, []);
}

/** The effects of a loaded dialog run first: its field may have the focus when the collection starts. */
function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role="dialog"]') !== null;
}
