'use client';

import type { ReactNode } from 'react';
import type { DialogProps } from './dialog-panel';
import { type LazyPart, lazyPart, useLazyPart } from './lazy-part';

/** What shows an open dialog. Loaded with the first one. */
export const dialogPanel = lazyPart(() => import('./dialog-panel').then(({ DialogPanel }) => DialogPanel));

/**
 * A modal dialog that traps the focus and returns it. Its content scrolls inside it. It opens once `needs`, the code of its
 * content, is loaded too.
 */
export function Dialog({ needs = dialogPanel, ...props }: DialogProps & { needs?: LazyPart<unknown> | undefined }) {
  const Panel = useLazyPart(dialogPanel, props.open);
  const content = useLazyPart(needs, props.open);
  return Panel === null || content === null ? null : <Panel {...props} />;
}

/** The buttons at the end of a dialog; the primary one is last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-5 flex flex-wrap justify-end gap-2">{children}</div>;
}
