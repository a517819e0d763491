'use client';

import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { ChoicePills } from '@/components/form/choice-pills';
import { DialogSubmit } from '@/components/form/dialog-submit';
import { useApiForm } from '@/components/form/use-api-form';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Card } from '@/components/ui/card';
import { useNow } from '@/components/ui/clock';
import { Dialog } from '@/components/ui/dialog';
import { formatAbsolute } from '@/components/ui/format-time';
import { Link } from '@/components/ui/link';
import { RelativeTime } from '@/components/ui/relative-time';
import { Stat, StatList } from '@/components/ui/stat';
import { toast } from '@/components/ui/toast';
import { UnreadableUrl } from '@/components/ui/unreadable-url';
import { CopyValue } from './setup/copy-value';
import { SignatureCheck } from './signature-check';
import { useSourceScope } from './source-context';
import { SourceState } from './source-state';
import { describeUrlEnd, URL_GRACE_CHOICES } from './url-grace';
import { useLastEvent } from './use-last-event';

/** The URL of a source with its state, and the button that replaces the URL. */
export function SourceUrlCard() {
  const { source, actions, secretDisabledReason } = useSourceScope();
  const [asking, setAsking] = useState(false);
  const rotate = async (gracePeriodHours: number) => {
    await actions.rotateUrl(gracePeriodHours);
    setAsking(false);
    toast.success('URL rotated. Update the provider with the new one.');
  };
  return (
    <Card>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <div className="flex flex-wrap items-end gap-x-3 gap-y-2">
          {source.url === null ? null : <CopyValue label="URL" value={source.url} className="flex-1 basis-80" />}
          {source.url === null && secretDisabledReason === undefined ? <UnreadableUrl /> : null}
          {source.url === null && secretDisabledReason !== undefined ? (
            <Callout tone="accent" className="flex-1 basis-80">
              <p className="font-medium">The URL is hidden.</p>
              <p>Anyone with the URL can send events to this source. {secretDisabledReason}</p>
            </Callout>
          ) : null}
          <Button className="h-9" disabledReason={secretDisabledReason} onClick={() => setAsking(true)}>
            <RefreshCw aria-hidden="true" />
            Rotate URL
          </Button>
        </div>
        {source.previousUrlExpiresAt ? (
          <Callout tone="accent">
            The previous URL works until {formatAbsolute(new Date(source.previousUrlExpiresAt))}.
          </Callout>
        ) : null}
        <StatList>
          <Stat label="State">
            <SourceState enabled={source.enabled} />
          </Stat>
          <Stat label="Signature check">
            <SignatureCheck {...source} />
          </Stat>
          <Stat label="Last event">
            <LastEvent />
          </Stat>
          <Stat label="Created">
            <RelativeTime at={source.createdAt} />
          </Stat>
        </StatList>
      </div>
      <Dialog open={asking} onOpenChange={setAsking} title="Rotate the URL?">
        <RotateUrlForm send={rotate} />
      </Dialog>
    </Card>
  );
}

/** When the source received its last event; a link to it. */
function LastEvent() {
  const { projectId, source } = useSourceScope();
  const last = useLastEvent(projectId, source);
  if (last === undefined) return <span className="text-muted">…</span>;
  if (last === null) return <span className="text-muted">None yet</span>;
  return (
    <Link
      href={`/projects/${projectId}/incoming-events/${last.id}`}
      className="rounded-sm font-medium text-accent-text hover:underline"
    >
      <RelativeTime at={last.createdAt} inRow />
    </Link>
  );
}

/** Asks how long the old URL of a source keeps working. */
function RotateUrlForm({ send }: { send: (gracePeriodHours: number) => Promise<unknown> }) {
  const now = useNow(1000);
  const form = useApiForm({ defaultValues: { grace: '24' }, send: ({ grace }) => send(Number(grace)) });
  return (
    <form noValidate onSubmit={form.submit} className="grid gap-4">
      <p className="text-sm">
        Update the provider with the new URL afterward. Any older URL that still works stops working now.
      </p>
      <ChoicePills
        legend="Grace period for the old URL"
        choices={URL_GRACE_CHOICES}
        control={form.register('grace')}
        hint={describeUrlEnd(Number(form.watch('grace')), now)}
      />
      <DialogSubmit label="Rotate URL" failure="We couldn’t rotate the URL" error={form.error} pending={form.pending} />
    </form>
  );
}
