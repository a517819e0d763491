import { formatCount } from '@/components/ui/format-figures';
import type { Customer } from '@/lib/customers/schema';

/** Says what is deleted with a customer, for the dialog that confirms it. One with endpoints must be named. */
export function customerDeletion(customer: Pick<Customer, 'uid' | 'name' | 'endpointCount'> | null) {
  const { uid = '', name = null, endpointCount = 0 } = customer ?? {};
  const endpoints =
    endpointCount === 0
      ? 'It has no endpoint.'
      : `Its ${endpointCount === 1 ? 'endpoint is' : `${formatCount(endpointCount)} endpoints are`} deleted now, and nothing is sent there anymore.`;
  return {
    title: `Delete ${name ?? uid}?`,
    description: `${endpoints} Its events, deliveries and attempts are removed within minutes. Statistics and the audit log stay. This can’t be undone.`,
    ...(endpointCount === 0 ? {} : { typeToConfirm: uid }),
  };
}
