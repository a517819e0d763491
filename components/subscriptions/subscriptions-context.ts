'use client';

import { createContext, useContext } from 'react';
import type { Subscription } from '@/lib/delivery/schema';

export interface SubscriptionActions {
  projectId: string;
  urlOf: (endpointId: string) => string | undefined;
  toggle: (subscription: Subscription, enabled: boolean) => void;
  edit: (subscription: Subscription) => void;
  remove: (subscription: Subscription) => void;
  /** Why subscriptions cannot be changed; undefined when they can. */
  disabledReason: string | undefined;
}

export const SubscriptionActionsContext = createContext<SubscriptionActions | null>(null);

/** Returns the actions of a row. */
export function useSubscriptionActions(): SubscriptionActions {
  const actions = useContext(SubscriptionActionsContext);
  if (actions === null) throw new Error('useSubscriptionActions outside SubscriptionsPage');
  return actions;
}
