import { Contact } from 'lucide-react';
import { useProjectPath } from '@/components/projects/use-projects';
import { cn } from '@/components/ui/cn';
import { shortId } from '@/components/ui/copyable-id';
import { TextLink } from '@/components/ui/link';

/** The customer of an endpoint or event. */
interface OfCustomer {
  customerId: string | null;
  customerUid: string | null;
}

/** Links to the customer of an endpoint or event. Renders nothing without one. */
export function CustomerLink({ of: { customerId, customerUid }, className }: { of: OfCustomer; className?: string }) {
  const path = useProjectPath('customers');
  if (customerId === null) return null;
  return (
    <TextLink
      href={`${path}/${customerId}`}
      prefetch={false}
      title={customerUid ?? undefined}
      className={cn('inline-flex min-w-0 max-w-full items-center gap-1.5', className)}
    >
      <CustomerName of={{ customerId, customerUid }} />
    </TextLink>
  );
}

/** Names the customer of an endpoint or event where there is no room for a link. */
export function CustomerName({ of: { customerId, customerUid } }: { of: OfCustomer }) {
  if (customerId === null) return null;
  return (
    <>
      <Contact aria-hidden="true" className="size-3.5 shrink-0" />
      <span className="sr-only">Customer </span>
      <span className="min-w-0 truncate font-mono text-xs">{customerUid ?? shortId(customerId)}</span>
    </>
  );
}
