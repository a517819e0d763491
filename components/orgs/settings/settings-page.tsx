'use client';

import { LogOut, type LucideIcon, ScrollText, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { AccountSection } from '@/components/account/account-section';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { NameForm } from '@/components/form/name-form';
import { useLeaving } from '@/components/orgs/members/use-members';
import { withArticle } from '@/components/orgs/role-labels';
import { useAfterLeaving, useOrganization } from '@/components/orgs/use-organization';
import { roleDisabledReason } from '@/components/projects/role-disabled-reason';
import { useProjects } from '@/components/projects/use-projects';
import { DeleteButton, ExplainedAction } from '@/components/ui/action-buttons';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { TextLink } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { toast } from '@/components/ui/toast';
import { LimitList } from '@/components/usage/limit-list';
import type { Organization, OrganizationSummary } from '@/lib/orgs/schema';
import { ExportSection } from './export-section';

const ORGANIZATION_LIMITS = 2;

/** The settings of an organization: name, id, limits, export, leaving and deletion. */
export function SettingsPage() {
  const { organization } = useOrganization();
  if (!organization) return null;
  return (
    <>
      <PageHeader
        title="Organization settings"
        description={
          <>
            You’re {withArticle(organization.role)} of{' '}
            <span className="wrap-anywhere font-medium text-text">{organization.name}</span>.
          </>
        }
      />
      <AccountSection title="General" description="Members see this name, and it appears in invitations.">
        <RenameForm key={organization.id} organization={organization} />
      </AccountSection>
      <AccountSection
        title="Limits"
        description="How many of each this organization has. At a limit you can’t add another one; what exists keeps working. The operator of this deployment can raise it."
      >
        <LimitList path={`/orgs/${organization.id}/limits`} count={ORGANIZATION_LIMITS} />
      </AccountSection>
      <AccountSection title="Export" description="All of the organization’s data in one JSON document.">
        <ExportSection organization={organization} />
      </AccountSection>
      <AccountSection title="Leave" description="Leave this organization.">
        <LeaveOrganization organization={organization} />
      </AccountSection>
      <AccountSection tone="danger" title="Delete organization" description="This can’t be undone.">
        <DeleteOrganization organization={organization} />
      </AccountSection>
    </>
  );
}

/** The name and id of the organization. Admins can change the name. */
function RenameForm({ organization: { id, name, role } }: { organization: OrganizationSummary }) {
  const { reload } = useOrganization();
  const rename = async (body: { name: string }) => {
    const renamed = await apiFetch<Organization>(`/orgs/${id}`, { method: 'PATCH', body });
    await reload();
    return renamed.name;
  };
  return (
    <NameForm
      kind="organization"
      id={id}
      name={name}
      rename={rename}
      rules={{ required: 'Give the organization a name.' }}
      disabledReason={roleDisabledReason(role, 'organization.update')}
    />
  );
}

/** Lets the person leave the organization. */
function LeaveOrganization({ organization }: { organization: OrganizationSummary }) {
  const leaving = useLeaving(organization);
  const [asking, setAsking] = useState(false);
  return (
    <ExplainedAction
      text={
        <>
          Everything you created stays, and API keys you created stay valid.
          {organization.role === 'OWNER' ? (
            <>
              {' '}
              The last owner must first{' '}
              <TextLink href={`/orgs/${organization.id}/members`}>transfer ownership</TextLink>.
            </>
          ) : null}
        </>
      }
    >
      <Button onClick={() => setAsking(true)}>
        <LogOut aria-hidden="true" />
        Leave organization
      </Button>
      <ConfirmDialog open={asking} onOpenChange={setAsking} {...leaving} />
    </ExplainedAction>
  );
}

/** Deletes the organization after its exact name is typed. */
function DeleteOrganization({ organization }: { organization: OrganizationSummary }) {
  const { id, name, role } = organization;
  const afterLeaving = useAfterLeaving();
  const [asking, setAsking] = useState(false);
  const erase = async () => {
    await apiFetch(`/orgs/${id}`, { method: 'DELETE' });
    toast.success(`${name} was deleted.`);
    await afterLeaving(id);
  };
  return (
    <ExplainedAction text="Deletes the organization for all members. Download an export first if you might need the data.">
      <DeleteButton
        label="Delete organization"
        disabledReason={roleDisabledReason(role, 'organization.delete')}
        onClick={() => setAsking(true)}
      />
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Delete this organization?"
        description={<DeletionSummary organizationId={id} />}
        typeToConfirm={name}
        confirmLabel="Delete organization"
        onConfirm={erase}
      />
    </ExplainedAction>
  );
}

/** Lists what is deleted with an organization, and what is kept. */
function DeletionSummary({ organizationId }: { organizationId: string }) {
  const { organizations } = useProjects();
  const projects = organizations?.find(({ id }) => id === organizationId)?.projects ?? [];
  const names = projects.slice(0, 3).map(({ name }) => name);
  const more = projects.length - names.length;
  return (
    <div className="grid gap-2.5 pt-1.5">
      <Part icon={Trash2} title="Deleted" tone="danger">
        <li>
          {projects.length === 0 ? 'Its members and invitations' : `Its projects: ${names.join(', ')}`}
          {more > 0 ? ` and ${more} more` : null}
        </li>
        <li>All API keys. Requests with them are rejected immediately, and deliveries stop</li>
        <li>Events, deliveries, customers, endpoints, subscriptions, sources, destinations, tunnels and their data</li>
      </Part>
      <Part icon={ScrollText} title="Kept" tone="neutral">
        <li>The audit log, including this deletion, for the operator of this deployment</li>
        <li>Its members’ accounts</li>
      </Part>
      <p className="text-text">This can’t be undone.</p>
    </div>
  );
}

function Part({
  icon: Icon,
  title,
  tone,
  children,
}: {
  icon: LucideIcon;
  title: string;
  tone: 'danger' | 'neutral';
  children: ReactNode;
}) {
  return (
    <div className="rounded-lg border p-3">
      <p
        className={cn(
          'flex items-center gap-2 font-medium text-sm',
          tone === 'danger' ? 'text-danger-text' : 'text-text',
        )}
      >
        <Icon aria-hidden="true" className="size-4 shrink-0" />
        {title}
      </p>
      <ul className="mt-1.5 grid list-disc gap-1 pl-10 wrap-anywhere">{children}</ul>
    </div>
  );
}
