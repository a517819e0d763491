'use client';

import { createContext, useContext } from 'react';
import type { Subscription } from '@/lib/delivery/schema';

export interface SubscriptionActions {
  projectId: string;
  urlOf: (endpointId: string) => string | undefined;
  toggle: (subscription: Subscription, enabled: boolean) => void;
  edit: (subscription: Subscription) => void;
  remove: (subscription: Subscription) => void;
  /** Why subscriptions may not be changed; undefined when they may. */
  disabledReason: string | undefined;
}

export const SubscriptionActionsContext = createContext<SubscriptionActions | null>(null);

/** What a row of the table can ask of the page. */
export function useSubscriptionActions(): SubscriptionActions {
  const actions = useContext(SubscriptionActionsContext);
  if (actions === null) throw new Error('useSubscriptionActions outside SubscriptionsPage');
  return actions;
}
