'use client';

import { useId } from 'react';
import { CODE, TextField } from '@/components/form/form-fields';
import type { ApiForm } from '@/components/form/use-api-form';
import { useCustomerSearch } from './use-customers';

/** Names a customer of the project by its uid, which is found by the beginning of the uid or the name. */
export function CustomerField<Values extends { customer: string }>({
  form,
  hint,
}: {
  form: ApiForm<Values>;
  hint: string;
}) {
  const listId = useId();
  return (
    <>
      <TextField
        form={form}
        name="customer"
        label="Customer"
        optional
        hint={hint}
        placeholder="Its ID or name"
        list={listId}
        {...CODE}
      />
      <CustomerOptions id={listId} typed={form.watch('customer')} />
    </>
  );
}

/** The customers that an input with this list suggests for what is typed. */
export function CustomerOptions({ id, typed }: { id: string; typed: string }) {
  const { customers } = useCustomerSearch(true, typed);
  return (
    <datalist id={id}>
      {customers.map((customer) => (
        <option key={customer.id} value={customer.uid}>
          {customer.name}
        </option>
      ))}
    </datalist>
  );
}
