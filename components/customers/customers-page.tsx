'use client';

import { Pencil, Trash2 } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useRouter } from 'next/navigation';
import { useMemo, useState } from 'react';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { columnsOf } from '@/components/data-table/column-helper';
import { FilterBar } from '@/components/data-table/filter-bar';
import { ListPage, NoMatches } from '@/components/data-table/paged-table';
import { TextFilter } from '@/components/data-table/text-filter';
import { usePages } from '@/components/data-table/use-pages';
import { useUrlFilters } from '@/components/data-table/use-url-filters';
import { createCurl } from '@/components/keys/samples';
import { useDisabledReason, useProjectPath } from '@/components/projects/use-projects';
import { CreateButton } from '@/components/ui/action-buttons';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Dialog } from '@/components/ui/dialog';
import { MenuItem, RowMenu } from '@/components/ui/dropdown-menu';
import { formatCount } from '@/components/ui/format-figures';
import { TextLink } from '@/components/ui/link';
import { RelativeTime } from '@/components/ui/relative-time';
import { NoValue } from '@/components/ui/stat';
import { toast } from '@/components/ui/toast';
import { useBaseUrl } from '@/components/ui/use-base-url';
import type { Customer } from '@/lib/customers/schema';
import { customerDeletion } from './customer-deletion';
import { createCustomer } from './use-customers';

const CustomerForm = dynamic(() => import('./customer-form').then((part) => part.CustomerForm));

type OpenDialog = { kind: 'create' } | { kind: 'edit' | 'remove'; customer: Customer };

const FILTERS = ['q'] as const;

/** The customers of a project. */
export function CustomersPage() {
  const path = useProjectPath('customers');
  const { filters, setFilters, active, clear } = useUrlFilters(FILTERS);
  const customers = usePages<Customer>(path, { q: filters.q?.slice(0, 200) });
  const disabledReason = useDisabledReason('customer.manage');
  const router = useRouter();
  const baseUrl = useBaseUrl();
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const close = () => setDialog(null);
  const asked = dialog === null || dialog.kind === 'create' ? null : dialog.customer;
  const columns = useMemo(() => customerColumns(disabledReason, setDialog), [disabledReason]);
  const send = async (method: 'PATCH' | 'DELETE', body?: object) => {
    await apiFetch(`${path}/${asked?.id}`, { method, body });
    await customers.reload();
  };
  const newCustomer = (
    <CreateButton label="New customer" disabledReason={disabledReason} onClick={() => setDialog({ kind: 'create' })} />
  );
  return (
    <>
      <ListPage
        title="Customers"
        description="The companies that you send events to, each with endpoints of its own."
        createButton={newCustomer}
        columns={columns}
        pages={customers}
        rowHref={({ id }) => `${path}/${id}`}
        empty={{
          title: 'No customers yet',
          sentence: (
            <>
              An event for a customer reaches only that customer’s endpoints. If all endpoints are your own, you need
              none.{' '}
              <TextLink href="/docs/guides/customers" prefetch={false}>
                About customers
              </TextLink>
            </>
          ),
          code: {
            label: 'Create a customer with the API',
            code: createCurl(baseUrl, path, '{"uid": "cus_8f2c1", "name": "Acme Inc."}'),
          },
        }}
        noMatch={
          active === 0 ? undefined : (
            <NoMatches
              title="No matching customers"
              sentence="No ID and no name of a customer begins with this text."
              onClear={clear}
            />
          )
        }
      >
        <FilterBar active={active} onClear={clear}>
          <TextFilter
            label="Search customers"
            placeholder="Start of an ID or a name"
            value={filters.q}
            onChange={(q) => setFilters({ q })}
          />
        </FilterBar>
      </ListPage>
      <Dialog open={dialog?.kind === 'create'} onOpenChange={close} title="New customer">
        <CustomerForm send={async (body) => router.push(`${path}/${(await createCustomer(path, body)).id}`)} />
      </Dialog>
      <Dialog open={dialog?.kind === 'edit'} onOpenChange={close} title="Edit customer">
        {asked === null ? null : <CustomerForm customer={asked} send={(body) => send('PATCH', body).then(close)} />}
      </Dialog>
      <ConfirmDialog
        open={dialog?.kind === 'remove'}
        onOpenChange={close}
        {...customerDeletion(asked)}
        confirmLabel="Delete customer"
        onConfirm={async () => {
          await send('DELETE');
          toast.success('Customer deleted.');
        }}
      />
    </>
  );
}

const customerColumns = (disabledReason: string | undefined, open: (dialog: OpenDialog) => void) =>
  columnsOf<Customer>(
    [
      {
        header: 'Your own ID',
        primary: true,
        className: 'min-w-0 max-sm:pr-12 sm:max-w-72',
        cell: ({ uid }) => (
          <span title={uid} className="block truncate font-mono text-xs">
            {uid}
          </span>
        ),
      },
      {
        header: 'Name',
        className: 'min-w-0 sm:max-w-72',
        cell: ({ name }) =>
          name === null ? (
            <NoValue />
          ) : (
            <span title={name} className="block min-w-0 truncate">
              {name}
            </span>
          ),
      },
      {
        header: 'Endpoints',
        align: 'end',
        cell: ({ endpointCount }) => (
          <span className={endpointCount === 0 ? 'text-muted tabular-nums' : 'tabular-nums'}>
            {formatCount(endpointCount)}
          </span>
        ),
      },
      { header: 'Created', align: 'end', cell: ({ createdAt }) => <RelativeTime at={createdAt} inRow /> },
    ],
    (customer) => (
      <RowMenu of={customer.uid}>
        <MenuItem disabledReason={disabledReason} onSelect={() => open({ kind: 'edit', customer })}>
          <Pencil aria-hidden="true" />
          Edit
        </MenuItem>
        <MenuItem tone="danger" disabledReason={disabledReason} onSelect={() => open({ kind: 'remove', customer })}>
          <Trash2 aria-hidden="true" />
          Delete
        </MenuItem>
      </RowMenu>
    ),
  );
