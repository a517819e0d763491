'use client';

import { Bell, BellOff, CirclePlay, Pause, Send } from 'lucide-react';
import dynamic from 'next/dynamic';
import { type ReactNode, useEffect, useState } from 'react';
import { columnsOf } from '@/components/data-table/column-helper';
import { PagedTable } from '@/components/data-table/paged-table';
import { useToastAction } from '@/components/form/use-async-action';
import { HistoryTabs } from '@/components/orgs/audit/history-links';
import { ResourceFailure, ResourceHead, ResourcePage } from '@/components/projects/resource-page';
import { SecretCard, useSecret } from '@/components/projects/secret-card';
import { useDisabledReason } from '@/components/projects/use-projects';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Card } from '@/components/ui/card';
import { useNow } from '@/components/ui/clock';
import { Dialog } from '@/components/ui/dialog';
import { Menu, MenuContent, MenuItem, MenuTrigger } from '@/components/ui/dropdown-menu';
import { EmptyState } from '@/components/ui/empty-state';
import { Link } from '@/components/ui/link';
import { RelativeTime } from '@/components/ui/relative-time';
import type { Alert, AlertMessage } from '@/lib/alerts/schema';
import { ALERT_TRIGGERS, TRIGGER_WORDS } from '@/lib/alerts/triggers-policy';
import { AlertState, describeMessage, isMuted, KIND_WORDS, MessageState } from './alert-state';
import { type AlertActions, useAlert } from './use-alert';

const AlertForm = dynamic(() => import('./alert-form').then((part) => part.AlertForm));
const RotationForm = dynamic(() => import('@/components/projects/rotation-form').then((part) => part.RotationForm));

/** One alert: what it tells of, what it said, and what arrived. */
export function AlertPage() {
  const actions = useAlert();
  const disabledReason = useDisabledReason('alert.manage');
  const now = useNow(60_000);
  return (
    <ResourcePage
      from={actions}
      skeleton={['h-7 w-56 max-w-full', 'h-64 w-full', 'h-48 w-full']}
      failure={(failure) => <ResourceFailure kind="alert" {...failure} />}
    >
      {(alert) => (
        <>
          <ResourceHead
            kind="alert"
            title={<span className="wrap-anywhere">{alert.name}</span>}
            description={
              <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
                <AlertState alert={alert} now={now} />
                <span className="wrap-anywhere">
                  {KIND_WORDS[alert.kind]} to {alert.target ?? 'a former member'}
                </span>
              </span>
            }
            actions={<HeadButtons alert={alert} actions={actions} now={now} disabledReason={disabledReason} />}
            disabledReason={disabledReason}
            editForm={(close) => <AlertForm alert={alert} send={(body) => actions.update(body).then(close)} />}
            deletion={{
              title: `Delete “${alert.name}”?`,
              description: 'It says nothing more, and its messages are deleted.',
            }}
            remove={actions.remove}
          />
          <HistoryTabs targetId={alert.id}>
            <div className="grid gap-6">
              {alert.disabledReason === null ? null : (
                <Callout tone="warning">
                  This alert is disabled: its member has left the organization. Choose another address, and enable it.
                </Callout>
              )}
              <TriggersCard alert={alert} />
              <Messages actions={actions} />
              {alert.kind === 'WEBHOOK' ? <AlertSecretCard actions={actions} disabledReason={disabledReason} /> : null}
            </div>
          </HistoryTabs>
        </>
      )}
    </ResourcePage>
  );
}

const HOUR_MS = 60 * 60_000;
const MUTES: readonly [label: string, hours: number][] = [
  ['For an hour', 1],
  ['For 8 hours', 8],
  ['For a day', 24],
  ['For a week', 7 * 24],
];

interface HeadButtonsProps {
  alert: Alert;
  actions: AlertActions;
  now: Date;
  disabledReason: string | undefined;
}

function HeadButtons({ alert, actions, now, disabledReason }: HeadButtonsProps) {
  const test = useToastAction('We couldn’t send a test');
  const change = useToastAction('We couldn’t change the alert');
  const update = (body: object) => change.run(() => actions.update(body));
  return (
    <>
      <Button loading={test.pending} disabledReason={disabledReason} onClick={() => test.run(actions.sendTest)}>
        <Send aria-hidden="true" />
        Send a test
      </Button>
      {isMuted(alert, now) ? (
        <Button loading={change.pending} disabledReason={disabledReason} onClick={() => update({ mutedUntil: null })}>
          <Bell aria-hidden="true" />
          Unmute
        </Button>
      ) : (
        <MuteMenu
          pending={change.pending}
          disabledReason={disabledReason}
          onMute={(mutedUntil) => update({ mutedUntil })}
        />
      )}
      <Button
        loading={change.pending}
        disabledReason={disabledReason}
        onClick={() => update({ enabled: !alert.enabled })}
      >
        {alert.enabled ? <Pause aria-hidden="true" /> : <CirclePlay aria-hidden="true" />}
        {alert.enabled ? 'Disable' : 'Enable'}
      </Button>
    </>
  );
}

/** Asks for how long an alert is muted. */
function MuteMenu({
  pending,
  disabledReason,
  onMute,
}: {
  pending: boolean;
  disabledReason: string | undefined;
  onMute: (until: string) => void;
}) {
  const button = (
    <Button loading={pending} disabledReason={disabledReason}>
      <BellOff aria-hidden="true" />
      Mute
    </Button>
  );
  // A menu would open all the same.
  if (disabledReason !== undefined) return button;
  return (
    <Menu>
      <MenuTrigger asChild>{button}</MenuTrigger>
      <MenuContent align="end">
        {MUTES.map(([label, hours]) => (
          <MenuItem key={label} onSelect={() => onMute(new Date(Date.now() + hours * HOUR_MS).toISOString())}>
            {label}
          </MenuItem>
        ))}
      </MenuContent>
    </Menu>
  );
}

function TriggersCard({ alert }: { alert: Alert }) {
  return (
    <Card title="What it tells of" description="Each once, until it is over.">
      <dl className="grid gap-3 text-sm">
        {ALERT_TRIGGERS.filter((trigger) => alert.triggers.includes(trigger)).map((trigger) => {
          const { label, meaning } = TRIGGER_WORDS[trigger];
          const firedAt = alert.lastFired.find((fired) => fired.trigger === trigger)?.firedAt;
          return (
            <div key={trigger} className="grid gap-x-6 sm:grid-cols-[minmax(0,1fr)_auto]">
              <dt className="font-medium">{label}</dt>
              <dd className="text-muted sm:row-span-2 sm:text-right">
                {firedAt === undefined ? (
                  'Never fired'
                ) : (
                  <>
                    Last fired <RelativeTime at={firedAt} />
                  </>
                )}
              </dd>
              <dd className="text-muted">{meaning}</dd>
            </div>
          );
        })}
      </dl>
    </Card>
  );
}

const MESSAGE_COLUMNS = columnsOf<AlertMessage>([
  {
    header: 'Message',
    primary: true,
    unlabelled: true,
    className: 'min-w-0',
    cell: (message) => (
      <span className="min-w-0">
        <span className="block font-medium">{describeMessage(message)}</span>
        <span className="wrap-anywhere block text-muted text-xs">{message.text}</span>
        {message.error === null ? null : (
          <span className="wrap-anywhere block text-danger-text text-xs">{message.error}</span>
        )}
        {message.kind === 'TEST' || typeof message.data.link !== 'string' ? null : (
          <DetailsLink href={message.data.link} />
        )}
      </span>
    ),
  },
  { header: 'Result', cell: (message) => <MessageState {...message} /> },
  {
    header: 'Answer',
    cell: ({ responseStatus, status }) =>
      responseStatus === null ? (
        <span className="text-muted text-xs">{status === 'SENT' ? 'With the mail server' : '–'}</span>
      ) : (
        <code className="font-mono text-xs">{responseStatus}</code>
      ),
  },
  { header: 'Created', align: 'end', cell: ({ createdAt }) => <RelativeTime at={createdAt} inRow /> },
]);

/** The link of a message is that of the deployment's own address. */
function DetailsLink({ href }: { href: string }): ReactNode {
  return (
    <Link href={new URL(href).pathname} className="relative z-10 text-accent-text text-xs">
      View
    </Link>
  );
}

const POLL_MS = 2_000;

/** What the alert said, and what became of it. While a message is being sent, the list is read again. */
function Messages({ actions: { messages } }: { actions: AlertActions }) {
  const { firstRows, reloadFirst } = messages;
  const isSending = firstRows?.some(({ status, attempts }) => status === 'PENDING' && attempts < 2) === true;
  useEffect(() => {
    if (!isSending) return;
    const timer = setInterval(() => void reloadFirst(), POLL_MS);
    return () => clearInterval(timer);
  }, [isSending, reloadFirst]);
  return (
    <section aria-labelledby="messages" className="min-w-0">
      <h2 id="messages" className="mb-2 font-semibold text-base">
        What it said
      </h2>
      <PagedTable
        label="Messages"
        columns={MESSAGE_COLUMNS}
        pages={messages}
        getRowId={({ id }) => id}
        empty={
          <EmptyState
            title="No messages yet"
            sentence="Send a test to see what arrives. Messages and their results appear here."
          />
        }
      />
    </section>
  );
}

function AlertSecretCard({ actions, disabledReason }: { actions: AlertActions; disabledReason: string | undefined }) {
  const secret = useSecret(actions);
  const [asking, setAsking] = useState(false);
  return (
    <SecretCard
      secret={secret}
      mask="whsec_••••••••••••••••••••••••••••"
      description="Your receiver uses it to verify signatures. Viewing or rotating it is recorded in the audit log."
      previous={null}
      replaceLabel="Rotate"
      onReplace={() => setAsking(true)}
      disabledReason={disabledReason}
    >
      <Dialog open={asking} onOpenChange={setAsking} title="Rotate the signing secret?">
        <RotationForm
          what="secret"
          text="Until the old secret ends, every message carries both signatures. A secret from before an earlier rotation ends now."
          send={async (gracePeriodHours) => {
            await secret.replace(await actions.rotateSecret(gracePeriodHours), true);
            setAsking(false);
          }}
        />
      </Dialog>
    </SecretCard>
  );
}
