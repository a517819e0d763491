'use client';

import { ExternalLink, Link2 } from 'lucide-react';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { useToastAction } from '@/components/form/use-async-action';
import { useProjectPath } from '@/components/projects/use-projects';
import { Button } from '@/components/ui/button';
import { copyText } from '@/components/ui/copy-button';
import { toast } from '@/components/ui/toast';
import type { Customer } from '@/lib/customers/schema';
import type { PortalLink } from '@/lib/portal/schema';

/** Opens the portal of a customer as the customer sees it, or copies a link to it. Both make a link, which is audited. */
export function PortalButtons({
  customer,
  disabledReason,
}: {
  customer: Customer;
  disabledReason: string | undefined;
}) {
  const path = useProjectPath(`customers/${customer.id}/portal-links`);
  const makeLink = async () => (await apiFetch<PortalLink>(path, { method: 'POST', body: {} })).url;
  const opening = useToastAction('We couldn’t open the portal');
  const copying = useToastAction('We couldn’t copy a link');
  const open = async () => {
    // Browsers open no tab after a wait.
    const tab = window.open('', '_blank');
    try {
      const url = await makeLink();
      if (tab === null) throw new Error('The browser opens no tabs.');
      tab.opener = null;
      tab.location.replace(url);
    } catch (error) {
      tab?.close();
      throw error;
    }
  };
  const copy = async () => {
    const url = await makeLink();
    if (await copyText(url)) toast.success('Link copied. It opens the portal once, within five minutes.');
    else toast.error('We couldn’t copy the link. Allow this page to use the clipboard.');
  };
  return (
    <>
      <Button disabledReason={disabledReason} loading={opening.pending} onClick={() => opening.run(open)}>
        <ExternalLink aria-hidden="true" />
        Open portal
      </Button>
      <Button disabledReason={disabledReason} loading={copying.pending} onClick={() => copying.run(copy)}>
        <Link2 aria-hidden="true" />
        Copy link
      </Button>
    </>
  );
}
