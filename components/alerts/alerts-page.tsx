'use client';

import dynamic from 'next/dynamic';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { columnsOf } from '@/components/data-table/column-helper';
import { ListPage } from '@/components/data-table/paged-table';
import { usePages } from '@/components/data-table/use-pages';
import { useDisabledReason, useProjectPath } from '@/components/projects/use-projects';
import { CreateButton } from '@/components/ui/action-buttons';
import { useNow } from '@/components/ui/clock';
import { Dialog } from '@/components/ui/dialog';
import { TextLink } from '@/components/ui/link';
import { RelativeTime } from '@/components/ui/relative-time';
import { NoValue } from '@/components/ui/stat';
import type { Alert, CreatedAlert } from '@/lib/alerts/schema';
import { TRIGGER_WORDS } from '@/lib/alerts/triggers-policy';
import { AlertState, KIND_WORDS } from './alert-state';

const AlertForm = dynamic(() => import('./alert-form').then((part) => part.AlertForm));

const COLUMNS = columnsOf<Alert>([
  {
    header: 'Name',
    primary: true,
    className: 'min-w-0 sm:max-w-56',
    cell: ({ name }) => <span className="wrap-anywhere font-medium">{name}</span>,
  },
  { header: 'State', cell: (alert) => <CurrentState alert={alert} /> },
  {
    header: 'Goes to',
    className: 'min-w-0 sm:max-w-64',
    cell: ({ kind, target }) => (
      <span className="min-w-0">
        <span className="block">{KIND_WORDS[kind]}</span>
        <span title={target ?? undefined} className="block truncate font-mono text-muted text-xs">
          {target ?? 'a former member'}
        </span>
      </span>
    ),
  },
  {
    header: 'Tells of',
    className: 'min-w-0 sm:max-w-72',
    cell: ({ triggers }) => (
      <span className="wrap-anywhere text-muted text-xs">
        {triggers.map((trigger) => TRIGGER_WORDS[trigger].label).join(', ')}
      </span>
    ),
  },
  {
    header: 'Last sent',
    align: 'end',
    cell: ({ lastSentAt }) =>
      lastSentAt === null ? <NoValue label="Never" /> : <RelativeTime at={lastSentAt} inRow />,
  },
]);

function CurrentState({ alert }: { alert: Alert }) {
  return <AlertState alert={alert} now={useNow(60_000)} />;
}

/** The alerts of a project. */
export function AlertsPage() {
  const path = useProjectPath('alerts');
  const alerts = usePages<Alert>(path);
  const disabledReason = useDisabledReason('alert.manage');
  const router = useRouter();
  const [creating, setCreating] = useState(false);
  return (
    <>
      <ListPage
        title="Alerts"
        description="Who is told, by email, webhook or Slack, before a customer calls."
        createButton={
          <CreateButton label="New alert" disabledReason={disabledReason} onClick={() => setCreating(true)} />
        }
        columns={COLUMNS}
        pages={alerts}
        rowHref={({ id }) => `${path}/${id}`}
        empty={{
          title: 'No alerts yet',
          sentence: (
            <>
              An alert tells somebody when an endpoint fails, deliveries wait, a source refuses its provider, events
              differ from their schema, or a key expires: once, until it is over.{' '}
              <TextLink href="/docs/guides/alerts" prefetch={false}>
                About alerts
              </TextLink>
            </>
          ),
        }}
      />
      <Dialog open={creating} onOpenChange={setCreating} title="New alert">
        <AlertForm
          send={async (body) => {
            const { id } = await apiFetch<CreatedAlert>(path, { method: 'POST', body });
            router.push(`${path}/${id}`);
          }}
        />
      </Dialog>
    </>
  );
}
