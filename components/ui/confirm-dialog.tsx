'use client';

import type { ConfirmDialogProps } from './confirm-panel';
import { lazyPart, useLazyPart } from './lazy-part';

/** What shows an open confirmation. Loaded with the first one. */
export const confirmPanel = lazyPart(() => import('./confirm-panel').then(({ ConfirmPanel }) => ConfirmPanel));

/** Asks for confirmation of an action that is hard to undo. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const Panel = useLazyPart(confirmPanel, props.open);
  return Panel === null ? null : <Panel {...props} />;
}
