import type { GroupSpec } from '@/lib/cli/spec';
import { getDelivery } from './get-delivery';
import { listDeliveries } from './list-deliveries';
import { retryDeliveries } from './retry-deliveries';

export const deliveries: GroupSpec = {
  name: 'deliveries',
  summary: 'See what was delivered, and retry what failed.',
  commands: [listDeliveries, getDelivery, retryDeliveries],
};
