'use client';

import { useParams, useRouter } from 'next/navigation';
import { useEffect } from 'react';
import useSWR from 'swr';
import { ApiError } from '@/components/auth-session/api-error';
import { apiFetch, fetchFromApi } from '@/components/auth-session/api-fetch';
import { withQuery } from '@/components/data-table/url-filters';
import type { CursorPage } from '@/components/data-table/use-pages';
import { useSettled } from '@/components/data-table/use-settled';
import { useProjectPath } from '@/components/projects/use-projects';
import { useResource } from '@/components/projects/use-resource';
import type { Customer } from '@/lib/customers/schema';

/** What a person enters of a customer. */
export interface CustomerBody {
  uid: string;
  name: string | null;
  metadata: Record<string, string>;
}

/**
 * Creates a customer. The API answers with the existing one for a uid that is taken; a person must know that nothing was created.
 * @throws ApiError conflict
 */
export async function createCustomer(path: string, body: CustomerBody): Promise<Customer> {
  const { data } = await fetchFromApi<CursorPage<Customer>>(withQuery(path, { uid: body.uid }));
  if (data.length > 0) {
    const errors = [{ path: 'uid', message: 'belongs to another customer of this project' }];
    throw new ApiError({ status: 409, code: 'conflict', detail: 'There is a customer with this ID.', errors });
  }
  return apiFetch<Customer>(path, { method: 'POST', body });
}

/** Loads the customer of the page and returns its actions. The page may also be opened by the customer's uid. */
export function useCustomer() {
  const { customerId } = useParams<{ customerId: string }>();
  const resource = useResource<Customer>(`customers/${customerId}`);
  const path = useProjectPath('customers');
  const router = useRouter();
  const id = resource.data?.id;
  useEffect(() => {
    // A uid may change while the page is open.
    if (id !== undefined && id !== customerId) router.replace(`${path}/${id}`);
  }, [id, customerId, path, router]);
  return { ...resource, update: (body: Partial<CustomerBody>) => resource.update(body) };
}

const CACHED = { dedupingInterval: 30_000, revalidateOnFocus: false, keepPreviousData: true };
/** More than are shown, so that a uid that is typed completely is among them. */
const FOUND = 50;

/** Finds customers by the beginning of their uid or name, once it is needed. `customers` are those of the last search that ended. */
export function useCustomerSearch(isNeeded: boolean, typed: string) {
  const { wanted, settled } = useSettled(typed);
  const path = withQuery(useProjectPath('customers'), { q: settled, limit: FOUND });
  const { data, isLoading } = useSWR<CursorPage<Customer>>(isNeeded ? path : null, CACHED);
  const customers: readonly Customer[] = data?.data ?? [];
  return { customers, isLoading: isLoading || settled !== wanted };
}

/** Whether the project has customers; undefined while it is not known. Forms of projects without any don't ask for one. */
export function useHasCustomers(): boolean | undefined {
  const { data } = useSWR<CursorPage<Customer>>(useProjectPath('customers?limit=1'), CACHED);
  return data && data.data.length > 0;
}
