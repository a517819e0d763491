'use client';

import { FlaskConical } from 'lucide-react';
import { CustomerField } from '@/components/customers/customer-field';
import { changed } from '@/components/form/changed';
import { CODE, DialogForm, SwitchField, TextField } from '@/components/form/form-fields';
import { useApiForm } from '@/components/form/use-api-form';
import { useAsyncAction } from '@/components/form/use-async-action';
import { useProjectId } from '@/components/projects/use-projects';
import { createTestReceiver } from '@/components/tunnels/use-tunnels';
import { Button } from '@/components/ui/button';
import { InlineError } from '@/components/ui/inline-error';
import type { Endpoint } from '@/lib/delivery/schema';
import { CustomerEventsField, RetryField, targetBodyOf, targetValuesOf, UidField, UrlField } from './endpoint-fields';
import { namingFields, ownSecretHint, STANDARD_SIGNATURE, signatureOf } from './endpoint-options';
import { EventTypesField } from './event-types-field';
import { SignatureFields } from './signature-fields';
import type { EndpointBody, NewEndpointBody } from './use-endpoints';

/** Creates or edits an endpoint. A new one can have the URL of a new test receiver, and is subscribed to event types. */
export function EndpointForm({
  endpoint,
  hasCustomers = false,
  send,
}: {
  /** Whether a new one can be that of a customer, or get the events of customers. */
  hasCustomers?: boolean;
} & (
  | { endpoint?: undefined; send: (body: NewEndpointBody) => Promise<unknown> }
  | { endpoint: Endpoint; send: (body: Partial<EndpointBody>) => Promise<unknown> }
)) {
  const projectId = useProjectId();
  const testing = useAsyncAction();
  const form = useApiForm({
    defaultValues: {
      ...targetValuesOf(endpoint),
      eventTypes: [] as string[],
      customer: '',
      receivesCustomerEvents: false,
      uid: '',
      secret: '',
      ...STANDARD_SIGNATURE,
    },
    send: ({ eventTypes, customer, receivesCustomerEvents, uid, secret, ...values }, shown) =>
      endpoint === undefined
        ? namingFields(
            send({
              ...targetBodyOf(values),
              eventTypes,
              ...(customer.trim() === '' ? { receivesCustomerEvents } : { customer: customer.trim() }),
              ...(uid.trim() === '' ? {} : { uid: uid.trim() }),
              ...(secret.trim() === '' ? {} : { secret: secret.trim() }),
              ...(values.profile === 'STANDARD' ? {} : { signature: signatureOf(values) }),
            }),
          )
        : send(changed(targetBodyOf(values), targetBodyOf(shown))),
  });
  const makeTestUrl = async () => form.setValue('url', (await createTestReceiver(projectId)).url ?? '');
  return (
    <DialogForm
      form={form}
      label={endpoint === undefined ? 'Create endpoint' : 'Save endpoint'}
      failure="We couldn’t save the endpoint"
    >
      {/* The form may be loaded after its dialog has opened. */}
      <UrlField form={form} hint="We POST signed events to this URL." autoFocus />
      {endpoint === undefined ? (
        <div className="grid gap-2">
          <Button
            size="sm"
            className="justify-self-start"
            loading={testing.pending}
            onClick={() => void testing.run(makeTestUrl)}
          >
            <FlaskConical aria-hidden="true" />
            Use a test receiver
          </Button>
          <InlineError what="We couldn’t create the test receiver" error={testing.error} />
        </div>
      ) : null}
      {endpoint === undefined && hasCustomers ? (
        <>
          <CustomerField
            form={form}
            hint="The endpoint gets this customer’s events only. You can’t change this later. Leave it blank for an endpoint of your own."
          />
          {form.watch('customer').trim() === '' ? <CustomerEventsField form={form} /> : null}
        </>
      ) : null}
      {endpoint === undefined ? (
        <EventTypesField
          chosen={form.watch('eventTypes')}
          onChange={(eventTypes) => form.setValue('eventTypes', eventTypes)}
          error={form.fieldError('eventTypes')}
        />
      ) : null}
      <TextField form={form} name="description" label="Description" optional />
      <RetryField form={form} />
      <SwitchField form={form} name="enabled" label="Enabled" hint="A disabled endpoint receives no deliveries." />
      {endpoint === undefined ? (
        <details>
          <summary className="w-fit cursor-pointer rounded-sm font-medium text-sm">More options</summary>
          <div className="mt-3 grid gap-4">
            <UidField form={form} />
            <TextField
              form={form}
              name="secret"
              label="Signing secret"
              optional
              hint={ownSecretHint(form.watch('profile'))}
              {...CODE}
            />
            <SignatureFields form={form} />
          </div>
        </details>
      ) : null}
    </DialogForm>
  );
}
