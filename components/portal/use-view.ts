'use client';

import { useCallback, useEffect, useState } from 'react';
import type { PortalEvent } from '@/lib/portal/schema';
import { usePortal } from './use-portal';

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
const stateOf = (customer: string, view: View) => ({ ...window.history.state, [KEY]: { customer, view } });

/** Returns the view that an entry of the history keeps for a customer: a new link may be of another one. */
export function viewOf(customer: string, state: { [KEY]?: { customer: string; view: View } } | null): View {
  const kept = state?.[KEY];
  return kept?.customer === customer ? kept.view : HOME;
}

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
  const customer = usePortal().session.customer.uid;
  const [shown, setShown] = useState({ view: HOME, hasMoved: false });
  useEffect(() => {
    const onPop = ({ state }: PopStateEvent) => setShown({ view: viewOf(customer, state), hasMoved: true });
    window.addEventListener('popstate', onPop);
    return () => window.removeEventListener('popstate', onPop);
  }, [customer]);
  const go = useCallback(
    (view: View) => {
      window.history.pushState(stateOf(customer, view), '');
      setShown({ view, hasMoved: true });
    },
    [customer],
  );
  const replace = useCallback(
    (view: View) => {
      window.history.replaceState(stateOf(customer, view), '');
      setShown((before) => ({ ...before, view }));
    },
    [customer],
  );
  return { ...shown, go, replace };
}
