'use client';

import { lazyPart, useLazyPart } from '@/components/ui/lazy-part';
import { useFirstIntent } from '@/components/ui/use-first-intent';
import type { LoadedShellDialogsProps } from './loaded-shell-dialogs';
import { useTypedMeanwhile } from './use-typed-meanwhile';

/** The palette, the list of shortcuts and the forms of the shell. Loaded with the first of them. */
const shellDialogs = lazyPart(() =>
  import('./loaded-shell-dialogs').then(({ LoadedShellDialogs }) => LoadedShellDialogs),
);

const NAMES = ['palette', 'shortcuts', 'new-project', 'new-organization'] as const;

/** What the shell shows above the page. */
export function ShellDialogs(props: Omit<LoadedShellDialogsProps, 'takeTyped'>) {
  useFirstIntent(shellDialogs);
  const isWanted = NAMES.some((name) => props.openIs(name).open);
  const Dialogs = useLazyPart(shellDialogs, isWanted);
  const takeTyped = useTypedMeanwhile(props.openIs('palette').open);
  return Dialogs === null ? null : <Dialogs {...props} takeTyped={takeTyped} />;
}
