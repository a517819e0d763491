'use client';

import { AccountSection } from '@/components/account/account-section';
import { withArticle } from '@/components/orgs/role-labels';
import { useOrganization } from '@/components/orgs/use-organization';
import { PageHeader } from '@/components/ui/page-header';
import { LimitList } from '@/components/usage/limit-list';
import { DeleteOrganization } from './delete-organization';
import { ExportSection } from './export-section';
import { LeaveOrganization } from './leave-organization';
import { RenameForm } from './rename-form';

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
