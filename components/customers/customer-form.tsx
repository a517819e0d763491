'use client';

import { namingFields } from '@/components/endpoints/endpoint-options';
import { changed } from '@/components/form/changed';
import { CODE, DialogForm, TextField } from '@/components/form/form-fields';
import { MetadataField, metadataText, parseMetadata } from '@/components/form/metadata-field';
import { useApiForm } from '@/components/form/use-api-form';
import type { Customer } from '@/lib/customers/schema';
import type { CustomerBody } from './use-customers';

const UID_RULES = { required: 'Enter the ID that you know the customer by.' };

/** Creates or edits a customer. */
export function CustomerForm({
  customer,
  send,
}:
  | { customer?: undefined; send: (body: CustomerBody) => Promise<unknown> }
  | { customer: Customer; send: (body: Partial<CustomerBody>) => Promise<unknown> }) {
  const form = useApiForm({
    defaultValues: {
      uid: customer?.uid ?? '',
      name: customer?.name ?? '',
      metadata: metadataText(customer?.metadata ?? {}),
    },
    send: (values, shown) =>
      namingFields(
        customer === undefined
          ? send(customerBodyOf(values))
          : send(changed(customerBodyOf(values), customerBodyOf(shown))),
      ),
  });
  return (
    <DialogForm
      form={form}
      label={customer === undefined ? 'Create customer' : 'Save customer'}
      failure="We couldn’t save the customer"
    >
      <TextField
        form={form}
        name="uid"
        rules={UID_RULES}
        label="Your own ID"
        hint={
          customer === undefined
            ? 'Your system’s ID of the customer. Events name their customer by it.'
            : 'Once it is changed, events can’t name the customer by the old one.'
        }
        placeholder="cus_8f2c1"
        // The form is loaded after its dialog has opened.
        autoFocus
        {...CODE}
      />
      <TextField form={form} name="name" label="Name" optional placeholder="Acme Inc." />
      <MetadataField form={form} />
    </DialogForm>
  );
}

/** Returns the request body for what the form has. */
export function customerBodyOf({ uid, name, metadata }: Record<keyof CustomerBody, string>): CustomerBody {
  return { uid: uid.trim(), name: name.trim() || null, metadata: parseMetadata(metadata) ?? {} };
}
