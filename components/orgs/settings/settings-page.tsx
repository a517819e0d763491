'use client';

import { Download, type LucideIcon, ScrollText, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { AccountSection } from '@/components/account/account-section';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { NameForm } from '@/components/form/name-form';
import { DownloadProgress } from '@/components/orgs/download/download-progress';
import { formatBytes } from '@/components/orgs/download/format-bytes';
import { saveDownload } from '@/components/orgs/download/open-download';
import { useDownload } from '@/components/orgs/download/use-download';
import { withArticle } from '@/components/orgs/role-labels';
import { useAfterLeaving } from '@/components/orgs/use-after-leaving';
import { useOrganization } from '@/components/orgs/use-organization';
import { roleDisabledReason } from '@/components/projects/role-disabled-reason';
import { useProjects } from '@/components/projects/use-projects';
import { DeleteButton, ExplainedAction } from '@/components/ui/action-buttons';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { cn } from '@/components/ui/cn';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { InlineError } from '@/components/ui/inline-error';
import { PageHeader } from '@/components/ui/page-header';
import { toast } from '@/components/ui/toast';
import { LimitList } from '@/components/usage/limit-list';
import { MAX_EXPORTED_AUDIT_ENTRIES } from '@/lib/lifecycle/export-policy';
import type { Organization, OrganizationSummary } from '@/lib/orgs/schema';
import { describeExportedAuditEntries } from './exported-audit-entries';
import { LeaveOrganization } from './leave-organization';

const ORGANIZATION_LIMITS = 2;

/** The settings of an organization: name, id, limits, export, leaving and deletion. */
export function SettingsPage({ organizationId }: { organizationId: string }) {
  const { organization } = useOrganization(organizationId);
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
        description="How much this organization uses. Ask the operator of this deployment for more."
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

/** Downloads the organization as one JSON document. */
function ExportSection({ organization }: { organization: OrganizationSummary }) {
  const { id, role } = organization;
  const { state, start, cancel } = useDownload();
  return (
    <div className="grid gap-4">
      <p className="text-sm">
        Members, projects, endpoints, subscriptions, sources, destinations, API keys and the newest{' '}
        {MAX_EXPORTED_AUDIT_ENTRIES.toLocaleString('en-US')} audit entries. Event payloads and secrets aren’t included.
      </p>
      {state.status === 'running' ? (
        <DownloadProgress what="The export" bytes={state.bytes} onCancel={cancel} />
      ) : (
        <Button
          className="justify-self-start"
          disabledReason={roleDisabledReason(role, 'organization.export')}
          onClick={() => void start(`/orgs/${id}/export`, saveDownload)}
        >
          <Download aria-hidden="true" />
          Download export
        </Button>
      )}
      {state.status === 'failed' ? (
        <InlineError what="The export was interrupted and not saved" error={state.error} />
      ) : null}
      {state.status === 'done' ? <Saved bytes={state.file.bytes} tail={state.file.tail} /> : null}
    </div>
  );
}

function Saved({ bytes, tail }: { bytes: number; tail: string }) {
  const extent = describeExportedAuditEntries(tail);
  return (
    <Callout tone="success" role="status">
      Saved, {formatBytes(bytes)}.{extent === null ? null : <> It contains {extent}.</>} The export is recorded in the
      audit log.
    </Callout>
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
        <li>Events, deliveries, endpoints, subscriptions, sources, destinations, tunnels and their data</li>
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
