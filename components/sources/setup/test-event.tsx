'use client';

import { ChevronRight } from 'lucide-react';
import { useSourceScope } from '@/components/sources/source-context';
import { Button } from '@/components/ui/button';
import { CodeBlock } from '@/components/ui/code-block';
import { signedCurl } from './signed-curl';

/** A command that sends a correctly signed event from a terminal. */
export function TestEvent({ url }: { url: string }) {
  const { source, secret, secretDisabledReason } = useSourceScope();
  const needsSecret = source.hasSecret && secret.shown === null;
  return (
    <details className="group rounded-lg border">
      <summary className="flex cursor-pointer list-none items-center gap-2 rounded-lg px-3 py-2.5 font-medium text-sm hover:bg-sunken/60 [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-muted group-open:rotate-90" />
        Send a test event from a terminal
      </summary>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 px-3 pb-3">
        {needsSecret ? (
          <div className="flex flex-wrap items-center justify-between gap-2 text-muted text-sm">
            <p>Show the secret to fill in the command.</p>
            <Button
              size="sm"
              loading={secret.pending}
              disabledReason={secretDisabledReason}
              onClick={() => void secret.show()}
            >
              Show secret
            </Button>
          </div>
        ) : null}
        {source.provider === 'NONE' || source.hasSecret ? (
          <CodeBlock label="Test event" language="shell" code={signedCurl({ ...source, url }, secret.shown)} />
        ) : (
          <p className="text-muted text-sm">Save the signing secret first.</p>
        )}
      </div>
    </details>
  );
}
