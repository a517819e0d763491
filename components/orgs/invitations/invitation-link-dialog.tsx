'use client';

import { useEffect, useRef, useState } from 'react';
import { CopyValue } from '@/components/sources/setup/copy-value';
import { Button } from '@/components/ui/button';
import { Dialog, DialogActions } from '@/components/ui/dialog';
import { InlineError } from '@/components/ui/inline-error';
import { Skeleton } from '@/components/ui/skeleton';
import type { Invitation, InvitationLink } from '@/lib/orgs/schema';

/** Makes a link to an invitation and shows it to copy. */
export function InvitationLinkDialog({
  invitation,
  reason,
  makeLink,
  onClose,
}: {
  /** Null while the dialog is closed. */
  invitation: Invitation | null;
  /** Why the person needs the link; shown first. */
  reason: string | null;
  makeLink: (invitationId: string) => Promise<InvitationLink>;
  onClose: () => void;
}) {
  return (
    <Dialog
      open={invitation !== null}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title="Invitation link"
      description={`${reason ?? ''} Only ${invitation?.email ?? ''} can accept with it, once, within 7 days of the invitation.`.trim()}
    >
      {invitation === null ? null : <Link key={invitation.id} invitationId={invitation.id} makeLink={makeLink} />}
      <DialogActions>
        <Button onClick={onClose}>Done</Button>
      </DialogActions>
    </Dialog>
  );
}

function Link({
  invitationId,
  makeLink,
}: {
  invitationId: string;
  makeLink: (invitationId: string) => Promise<InvitationLink>;
}) {
  const [url, setUrl] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const isMade = useRef(false);
  useEffect(() => {
    // Each link ends the one before, so one is made.
    if (isMade.current) return;
    isMade.current = true;
    makeLink(invitationId).then((made) => setUrl(made.url), setError);
  }, [invitationId, makeLink]);
  if (error !== null) return <InlineError what="We couldn’t create the link" error={error} />;
  return (
    <div className="grid gap-3">
      {url === null ? <Skeleton className="h-15 w-full" /> : <CopyValue label="Link" value={url} />}
      <p className="text-muted text-sm">
        The link isn’t shown again. A new link replaces it. A link in an email keeps working.
      </p>
    </div>
  );
}
