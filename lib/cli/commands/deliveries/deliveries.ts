import type { GroupSpec } from '@/lib/cli/spec';
import { getDelivery } from './get-delivery';
import { listDeliveries } from './list-deliveries';
import { retryDelivery } from './retry-delivery';

export const deliveries: GroupSpec = {
  name: 'deliveries',
  summary: 'View deliveries, see why they failed, and retry them.',
  commands: [listDeliveries, getDelivery, retryDelivery],
};
