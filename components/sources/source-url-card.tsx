'use client';

import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Card } from '@/components/ui/card';
import { Dialog } from '@/components/ui/dialog';
import { formatAbsolute } from '@/components/ui/format-time';
import { RelativeTime } from '@/components/ui/relative-time';
import { Stat, StatList } from '@/components/ui/stat';
import { toast } from '@/components/ui/toast';
import { UnreadableUrl } from '@/components/ui/unreadable-url';
import { LastEvent } from './last-event';
import { RotateUrlForm } from './rotate-url-form';
import { CopyValue } from './setup/copy-value';
import { SignatureCheck } from './signature-check';
import { useSourceScope } from './source-context';
import { SourceState } from './source-state';

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
