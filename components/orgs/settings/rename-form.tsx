'use client';

import { apiFetch } from '@/components/auth-session/api-fetch';
import { NameForm } from '@/components/form/name-form';
import { useOrganization } from '@/components/orgs/use-organization';
import { roleDisabledReason } from '@/components/projects/role-disabled-reason';
import type { Organization, OrganizationSummary } from '@/lib/orgs/schema';

/** The name and id of the organization. Admins can change the name. */
export function RenameForm({ organization: { id, name, role } }: { organization: OrganizationSummary }) {
  const { reload } = useOrganization(id);
  const rename = async (body: { name: string }) => {
    const renamed = await apiFetch<Organization>(`/orgs/${id}`, { method: 'PATCH', body });
    await reload();
    return renamed.name;
  };
  return (
    <NameForm
      kind="organization"
      {...{ id, name, rename }}
      rules={{ required: 'Give the organization a name.' }}
      disabledReason={roleDisabledReason(role, 'organization.update')}
    />
  );
}
