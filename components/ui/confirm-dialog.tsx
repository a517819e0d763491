'use client';

import type { ReactNode } from 'react';
import { lazyPart, useLazyPart } from './lazy-part';

/** What shows an open confirmation. Loaded with the first one. */
export const confirmPanel = lazyPart(() => import('./confirm-panel').then(({ ConfirmPanel }) => ConfirmPanel));

export interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** The effects, and whether they can be undone. */
  description: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  /** Runs on confirm. The dialog closes on success and shows the error otherwise. */
  onConfirm: () => Promise<unknown> | unknown;
  tone?: 'danger' | 'primary';
  /** The name that must be typed first, for actions that cannot be undone. */
  typeToConfirm?: string;
}

/** Asks for confirmation of an action that is hard to undo. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const Panel = useLazyPart(confirmPanel, props.open);
  return Panel === null ? null : <Panel {...props} />;
}
