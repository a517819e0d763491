'use client';

import { Pencil, Trash2 } from 'lucide-react';
import { MenuItem, RowMenu } from '@/components/ui/dropdown-menu';
import { Link } from '@/components/ui/link';
import { Switch } from '@/components/ui/switch';
import type { Subscription } from '@/lib/delivery/schema';
import { useSubscriptionActions } from './subscriptions-context';

export function EndpointCell({ subscription }: { subscription: Subscription }) {
  const { projectId, urlOf } = useSubscriptionActions();
  return (
    <Link
      href={`/projects/${projectId}/endpoints/${subscription.endpointId}`}
      prefetch={false}
      className="block truncate rounded-sm font-mono text-xs hover:underline"
    >
      {urlOf(subscription.endpointId) ?? `…${subscription.endpointId.slice(-8)}`}
    </Link>
  );
}

export function EnabledCell({ subscription }: { subscription: Subscription }) {
  const { toggle, disabledReason } = useSubscriptionActions();
  return (
    <Switch
      aria-label={`${subscription.eventType} enabled`}
      checked={subscription.enabled}
      disabledReason={disabledReason}
      onCheckedChange={(enabled) => toggle(subscription, enabled)}
    />
  );
}

export function SubscriptionRowMenu({ subscription }: { subscription: Subscription }) {
  const { edit, remove, disabledReason } = useSubscriptionActions();
  return (
    <RowMenu of={subscription.eventType}>
      <MenuItem disabledReason={disabledReason} onSelect={() => edit(subscription)}>
        <Pencil aria-hidden="true" />
        Edit
      </MenuItem>
      <MenuItem tone="danger" disabledReason={disabledReason} onSelect={() => remove(subscription)}>
        <Trash2 aria-hidden="true" />
        Delete
      </MenuItem>
    </RowMenu>
  );
}
