'use client';

import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { PROVIDERS } from '@/components/sources/providers';
import { type SourceWithUrl, useSourceScope } from '@/components/sources/source-context';
import { useLastAcceptedEvent } from '@/components/sources/use-last-event';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { CodeBlock } from '@/components/ui/code-block';
import type { SourceProvider } from '@/lib/incoming/schema';
import { CopyValue } from './copy-value';
import { FirstEvent } from './first-event';
import { OurSecret } from './our-secret';
import { hmacSteps, standardSteps, unsignedSteps } from './sender-steps';
import { signedCurl } from './signed-curl';
import { Name, ProviderLink, type SetupStep, StepList, StepText } from './step-list';
import { stripeSteps } from './stripe-steps';
import { TheirSecret } from './their-secret';

const STEPS: Record<SourceProvider, (source: SourceWithUrl) => SetupStep[]> = {
  GITHUB: ({ url }) => githubSteps(url),
  STRIPE: ({ url, hasSecret }) => stripeSteps(url, hasSecret),
  SHOPIFY: ({ url, hasSecret }) => shopifySteps(url, hasSecret),
  SLACK: ({ url, hasSecret }) => slackSteps(url, hasSecret),
  STANDARD_WEBHOOKS: standardSteps,
  GENERIC_HMAC: hmacSteps,
  NONE: unsignedSteps,
};

/** What to do at the provider. Open until events arrive; an event that arrives while the page is open does not close it. */
export function SetupCard({ url }: { url: string }) {
  const { projectId, source } = useSourceScope();
  const accepted = useLastAcceptedEvent(projectId, source);
  const [wasReceiving, setWasReceiving] = useState<boolean | null>(null);
  const [chosen, setChosen] = useState<boolean | null>(null);
  if (wasReceiving === null && accepted !== undefined) setWasReceiving(accepted !== null);
  const isOpen = chosen ?? wasReceiving === false;
  const { name, secretMaker } = PROVIDERS[source.provider];
  const sender = secretMaker === 'provider' || source.provider === 'GITHUB' ? name : 'the sender';
  return (
    <Card
      title={accepted ? 'Connection' : `Set up ${sender}`}
      {...(isOpen ? { description: `Connect ${sender} to this source.` } : {})}
      actions={
        <Button size="sm" aria-expanded={isOpen} onClick={() => setChosen(!isOpen)}>
          {isOpen ? 'Hide steps' : 'Show steps'}
        </Button>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        {isOpen ? <StepList steps={stepsOf({ ...source, url })} /> : null}
        <FirstEvent />
        {isOpen ? <TestEvent url={url} /> : null}
      </div>
    </Card>
  );
}

/** Returns what to do at the provider until its first event arrives. */
function stepsOf(source: SourceWithUrl): SetupStep[] {
  return STEPS[source.provider](source);
}

/** GitHub takes the URL and our secret in one form. */
function githubSteps(url: string): SetupStep[] {
  return [
    {
      title: 'Open your repository or organization’s webhook settings',
      content: (
        <StepText>
          On GitHub, open <Name>Settings → Webhooks</Name> and click <Name>Add webhook</Name>.
        </StepText>
      ),
    },
    {
      title: 'Paste the URL and the secret',
      content: (
        <>
          <CopyValue label="Payload URL" value={url} />
          <OurSecret label="Secret" />
          <StepText>
            Set <Name>Content type</Name> to <Name>application/json</Name>, and leave <Name>SSL verification</Name>{' '}
            enabled.
          </StepText>
        </>
      ),
    },
    {
      title: 'Choose events and save',
      content: (
        <StepText>
          Select the events you want, keep <Name>Active</Name> checked, and click <Name>Add webhook</Name>. GitHub sends
          a ping right away.
        </StepText>
      ),
    },
  ];
}

/** A command that sends a correctly signed event from a terminal. */
function TestEvent({ url }: { url: string }) {
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

/** Slack verifies the URL with a signed request, so its secret comes first. */
function slackSteps(url: string, hasSecret: boolean): SetupStep[] {
  return [
    {
      title: 'Paste the signing secret here first',
      isDone: hasSecret,
      content: (
        <>
          <StepText>
            Open your app at <ProviderLink href="https://api.slack.com/apps">api.slack.com/apps</ProviderLink>. Under{' '}
            <Name>Basic Information → App Credentials</Name>, show the <Name>Signing Secret</Name> and copy it. In the
            next step, Slack verifies the URL with a request signed with this secret.
          </StepText>
          <TheirSecret label="Signing secret from Slack" placeholder="32 hexadecimal digits" />
        </>
      ),
    },
    {
      title: 'Paste the URL',
      content: (
        <>
          <StepText>
            Open <Name>Event Subscriptions</Name>, turn on <Name>Enable Events</Name>, and paste this URL. Slack shows{' '}
            <Name>Verified</Name> next to it.
          </StepText>
          <CopyValue label="Request URL" value={url} />
        </>
      ),
    },
    {
      title: 'Choose events and save',
      content: (
        <StepText>
          Under <Name>Subscribe to bot events</Name>, add events such as app_mention, and click{' '}
          <Name>Save Changes</Name>. If Slack asks you to reinstall the app, do so. Then mention it in a channel.
        </StepText>
      ),
    },
  ];
}

/** Shopify signs the webhooks of a store with one secret, which it shows below their list. */
function shopifySteps(url: string, hasSecret: boolean): SetupStep[] {
  return [
    {
      title: 'Create a webhook in your store',
      content: (
        <StepText>
          In the Shopify admin, open <Name>Settings → Notifications → Webhooks</Name> and click{' '}
          <Name>Create webhook</Name>.
        </StepText>
      ),
    },
    {
      title: 'Paste the URL',
      content: (
        <>
          <CopyValue label="URL" value={url} />
          <StepText>
            Choose the <Name>Event</Name>, set <Name>Format</Name> to <Name>JSON</Name>, and click <Name>Save</Name>.
            Create one webhook per event. They can all use this URL.
          </StepText>
        </>
      ),
    },
    {
      title: 'Paste the signing secret here',
      isDone: hasSecret,
      content: (
        <>
          <StepText>
            Shopify shows the signing secret below the list of webhooks. For an app’s webhooks, use the app’s{' '}
            <Name>Client secret</Name>.
          </StepText>
          <TheirSecret label="Signing secret from Shopify" placeholder="64 characters" />
        </>
      ),
    },
    {
      title: 'Send a test notification',
      content: (
        <StepText>
          In the list of webhooks, open the new webhook’s menu and click <Name>Send test notification</Name>.
        </StepText>
      ),
    },
  ];
}
