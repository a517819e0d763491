'use client';

import { useState } from 'react';
import useSWR from 'swr';
import { SuggestFilter } from '@/components/data-table/suggest-filter';
import { idFault } from '@/components/data-table/text-filter';
import { useProjectPath } from '@/components/projects/use-projects';
import type { Customer } from '@/lib/customers/schema';
import { suggestCustomers } from './suggest-customers';
import { useCustomerSearch } from './use-customers';

/** A filter by customer, which searches all of the project for the beginning of a uid or a name. Links may name an id. */
export function CustomerFilter({
  value,
  onChange,
}: {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}) {
  const [isNeeded, setNeeded] = useState(false);
  const [typed, setTyped] = useState('');
  const uid = useUid(value);
  const { customers, isLoading } = useCustomerSearch(isNeeded, typed);
  return (
    <SuggestFilter
      label="Customer"
      placeholder="Any customer"
      value={uid}
      onChange={(text) => {
        // Text that is no uid yet is only searched for.
        if (text === undefined || customers.some((customer) => customer.uid === text)) onChange(text);
      }}
      suggest={(text) => suggestCustomers(customers, text)}
      faultOf={(text) => {
        if (text === uid || isLoading || customers.some((customer) => customer.uid === text)) return undefined;
        return customers.length === 0 ? 'No customer begins with this text.' : 'Choose a customer from the list.';
      }}
      onOpen={() => setNeeded(true)}
      onType={setTyped}
      onChoose={(suggestion) => onChange(suggestion.value)}
      width="sm:w-40"
    />
  );
}

/** Returns the uid of a customer that is named by its uid, or by its id once that is loaded. */
function useUid(value: string | undefined): string | undefined {
  const isId = value !== undefined && idFault(value) === undefined;
  const path = useProjectPath(`customers/${value}`);
  const { data } = useSWR<Customer>(isId ? path : null, { revalidateOnFocus: false });
  return isId ? (data?.uid ?? value) : value;
}
