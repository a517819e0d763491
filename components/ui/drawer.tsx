'use client';

import type { DrawerProps } from './drawer-panel';
import { lazyPart, useLazyPart } from './lazy-part';

/** What shows an open drawer. Loaded with the first one. */
const drawerPanel = lazyPart(() => import('./drawer-panel').then(({ DrawerPanel }) => DrawerPanel));

/** A panel from the left edge, for navigation on narrow screens. It traps the focus and returns it. */
export function Drawer(props: DrawerProps) {
  const Panel = useLazyPart(drawerPanel, props.open);
  return Panel === null ? null : <Panel {...props} />;
}
