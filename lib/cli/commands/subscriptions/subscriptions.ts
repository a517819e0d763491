import type { GroupSpec } from '@/lib/cli/spec';
import { createSubscription } from './create-subscription';
import { deleteSubscription } from './delete-subscription';
import { listSubscriptions } from './list-subscriptions';

export const subscriptions: GroupSpec = {
  name: 'subscriptions',
  summary: 'Choose which events an endpoint gets.',
  commands: [listSubscriptions, createSubscription, deleteSubscription],
};
