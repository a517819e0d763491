'use client';

import type { ReactNode } from 'react';
import { lazyPart, useLazyPart } from './lazy-part';

/** What shows an open drawer. Loaded with the first one. */
const drawerPanel = lazyPart(() => import('./drawer-panel').then(({ DrawerPanel }) => DrawerPanel));

export interface DrawerProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  children: ReactNode;
}

/** A panel from the left edge, for navigation on narrow screens. It traps the focus and returns it. */
export function Drawer(props: DrawerProps) {
  const Panel = useLazyPart(drawerPanel, props.open);
  return Panel === null ? null : <Panel {...props} />;
}
