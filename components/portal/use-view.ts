'use client';

import { useCallback, useEffect, useState } from 'react';
import type { PortalEvent } from '@/lib/portal/schema';

/** The tabs of the first page, and of an endpoint. */
export type HomeTab = 'endpoints' | 'deliveries' | 'events';
export type EndpointTab = 'deliveries' | 'test' | 'verify' | 'settings';

/** What the view of an event shows at once. */
export type ShownEvent = Pick<PortalEvent, 'id' | 'type' | 'createdAt'>;

/** What the portal shows. */
export type View =
  | { name: 'home'; tab: HomeTab }
  | { name: 'new-endpoint' }
  /** `isNew` right after it was added. */
  | { name: 'endpoint'; endpointId: string; tab: EndpointTab; isNew?: boolean }
  /** `from` is the endpoint whose deliveries were listed. */
  | { name: 'delivery'; deliveryId: string; from?: string }
  /** `from` is the delivery that led here. */
  | { name: 'event'; event: ShownEvent; from?: string };

const HOME: View = { name: 'home', tab: 'endpoints' };
const KEY = 'eds-portal-view';

/** With what Next keeps there: it would load the page again for an entry without that. */
const stateOf = (view: View) => ({ ...window.history.state, [KEY]: view });

export interface Navigation {
  view: View;
  /** Whether the person came here, so that its heading gets the focus. */
  hasMoved: boolean;
  go: (view: View) => void;
  /** Shows another part of the same page, which is no step back. */
  replace: (view: View) => void;
}

/** Keeps what is shown in the history of the browser, not in the address: the back button works, and a copied address opens nothing. */
export function useView(): Navigation {
  const [shown, setShown] = useState({ view: HOME, hasMoved: false });
  useEffect(() => {
    const onPop = ({ state }: PopStateEvent) => setShown({ view: state?.[KEY] ?? HOME, hasMoved: true });
    window.addEventListener('popstate', onPop);
    return () => window.removeEventListener('popstate', onPop);
  }, []);
  const go = useCallback((view: View) => {
    window.history.pushState(stateOf(view), '');
    setShown({ view, hasMoved: true });
  }, []);
  const replace = useCallback((view: View) => {
    window.history.replaceState(stateOf(view), '');
    setShown((before) => ({ ...before, view }));
  }, []);
  return { ...shown, go, replace };
}
