import type { GroupSpec } from '@/lib/cli/spec';
import { createSubscription } from './create-subscription';
import { deleteSubscription } from './delete-subscription';
import { listSubscriptions } from './list-subscriptions';
import { disableSubscription, enableSubscription } from './switch-subscription';
import { updateSubscription } from './update-subscription';

export const subscriptions: GroupSpec = {
  name: 'subscriptions',
  summary: 'Choose which endpoint receives which events.',
  commands: [
    ...[listSubscriptions, createSubscription, updateSubscription],
    ...[enableSubscription, disableSubscription, deleteSubscription],
  ],
};
