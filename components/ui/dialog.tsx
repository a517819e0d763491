'use client';

import type { ReactNode } from 'react';
import type { DialogProps } from './dialog-panel';
import { lazyPart, useLazyPart } from './lazy-part';

/** What shows an open dialog. Loaded with the first one. */
export const dialogPanel = lazyPart(() => import('./dialog-panel').then(({ DialogPanel }) => DialogPanel));

/** A modal dialog that traps the focus and returns it. Its content scrolls inside it. */
export function Dialog(props: DialogProps) {
  const Panel = useLazyPart(dialogPanel, props.open);
  return Panel === null ? null : <Panel {...props} />;
}

/** The buttons at the end of a dialog; the primary one is last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-5 flex flex-wrap justify-end gap-2">{children}</div>;
}
