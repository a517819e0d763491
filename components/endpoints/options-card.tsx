'use client';

import { Filter, Pencil } from 'lucide-react';
import dynamic from 'next/dynamic';
import { type ReactNode, useState } from 'react';
import { useDisabledReason } from '@/components/projects/use-projects';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Dialog } from '@/components/ui/dialog';
import { TextLink } from '@/components/ui/link';
import { Fact } from '@/components/ui/stat';
import { toast } from '@/components/ui/toast';
import { describeFilter } from '@/lib/delivery/filters/filter-policy';
import type { Endpoint } from '@/lib/delivery/schema';
import { describeMetadata } from '@/lib/platform/metadata-policy';
import { describeSignature, hasOptions } from './endpoint-options';
import type { EndpointActions } from './use-endpoints';

const OptionsForm = dynamic(() => import('./options-form').then((part) => part.OptionsForm));
const FilterForm = dynamic(() => import('./filter-form').then((part) => part.FilterForm));

/** The options of an endpoint: its filter, headers, and what else a receiver may wish for. */
export function OptionsCard({ endpoint, actions }: { endpoint: Endpoint; actions: EndpointActions }) {
  const disabledReason = useDisabledReason('endpoint.manage');
  const [dialog, setDialog] = useState<'options' | 'filter' | null>(null);
  const close = () => setDialog(null);
  const openIs = (kind: typeof dialog) => ({ open: dialog === kind, onOpenChange: close });
  return (
    <Card
      title="Options"
      actions={
        <>
          <Button size="sm" disabledReason={disabledReason} onClick={() => setDialog('filter')}>
            <Filter aria-hidden="true" />
            {endpoint.filter === null ? 'Add filter' : 'Edit filter'}
          </Button>
          <Button size="sm" disabledReason={disabledReason} onClick={() => setDialog('options')}>
            <Pencil aria-hidden="true" />
            Edit options
          </Button>
        </>
      }
    >
      {hasOptions(endpoint) ? (
        <OptionList endpoint={endpoint} />
      ) : (
        <p className="max-w-2xl text-muted text-sm">
          Most endpoints need none. A filter chooses events by their data; the others are for receivers that need a
          header, another signature, the data alone, or fewer requests at once.{' '}
          <TextLink href="/docs/guides/endpoint-options" prefetch={false}>
            About options
          </TextLink>
        </p>
      )}
      <Dialog {...openIs('options')} title="Endpoint options" size="lg">
        <OptionsForm endpoint={endpoint} update={actions.update} close={close} />
      </Dialog>
      <Dialog
        {...openIs('filter')}
        title="Filter"
        description="An event that doesn’t match makes no delivery. Changes apply to events sent afterward."
        size="lg"
      >
        <FilterForm
          endpoint={endpoint}
          send={async (filter) => {
            await actions.setFilter(filter);
            close();
            toast.success(filter === null ? 'Filter removed.' : 'Filter saved.');
          }}
        />
      </Dialog>
    </Card>
  );
}

function OptionList({ endpoint }: { endpoint: Endpoint }) {
  const { uid, headers, signature, bodyFormat, filter, metadata, rateLimit, receivesCustomerEvents } = endpoint;
  const code = (text: ReactNode) => <code className="font-mono text-xs">{text}</code>;
  return (
    <dl className="grid gap-2 text-sm">
      {filter === null ? null : <Fact label="Filter">Only events where {describeFilter(filter)}</Fact>}
      {receivesCustomerEvents ? <Fact label="Customers">Also receives customers’ events</Fact> : null}
      {uid === null ? null : <Fact label="Your own ID">{code(uid)}</Fact>}
      {Object.keys(headers).length === 0 ? null : (
        <Fact label="Headers">
          {Object.entries(headers).map(([name, value]) => (
            <span key={name} className="block">
              {code(`${name}: ${value}`)}
            </span>
          ))}
        </Fact>
      )}
      <Fact label="Signature">
        {describeSignature(signature)}
        {signature.profile === 'CUSTOM' ? <>: {code(signature.value)}</> : null}
      </Fact>
      <Fact label="Body">{bodyFormat === 'DATA' ? 'Data alone' : 'Envelope'}</Fact>
      {rateLimit === null ? null : (
        <Fact label="Rate limit">
          At most {rateLimit.requests} attempts in {rateLimit.seconds} s
        </Fact>
      )}
      {Object.keys(metadata).length === 0 ? null : <Fact label="Metadata">{describeMetadata(metadata)}</Fact>}
    </dl>
  );
}
