'use client';

import dynamic from 'next/dynamic';
import { useCallback, useEffect, useRef, useState } from 'react';
import { CreateOrganizationDialog } from '@/components/orgs/create-organization-dialog';
import { CreateProjectDialog } from '@/components/projects/create-project-dialog';
import { ShortcutsSheet } from './shortcuts-sheet';
import type { NavigationScope } from './use-navigation-scope';

/** Loaded when it is first opened, with the search that only it uses. */
const CommandPalette = dynamic(() => import('./command-palette').then((part) => part.CommandPalette), { ssr: false });

/** What is open above the page; one at most. */
export type Opened = 'palette' | 'shortcuts' | 'navigation' | 'new-project' | 'new-organization' | null;

interface ShellDialogsProps {
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

/**
 * Collects what a person types between opening a field and its focus, also while its code is being loaded, so that no key is
 * lost. The field takes the text with the returned function when it gets the focus, which ends the collection.
 * @param isOpen whether the field is open or being loaded
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
