import type { ReactNode } from 'react';
import { AuthHeading } from '@/components/auth/auth-heading';
import { ROLE_LABELS } from '@/components/orgs/role-labels';
import type { InvitationPreview } from '@/lib/orgs/schema';

/** The organization, the role and the invited address. */
export function InvitationFacts({ invitation }: { invitation: InvitationPreview }) {
  const { organizationName, role, email } = invitation;
  const { label, description } = ROLE_LABELS[role];
  return (
    <>
      <AuthHeading title={`Join ${organizationName}`}>You’ve been invited to join this organization.</AuthHeading>
      <dl className="mb-5 grid gap-3 rounded-lg border bg-surface p-4 text-sm shadow-raised">
        <Fact label="Organization">{organizationName}</Fact>
        <Fact label="Your role">
          {label}
          <span className="block font-normal text-muted">{description}</span>
        </Fact>
        <Fact label="For">{email}</Fact>
      </dl>
    </>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-3">
      <dt className="text-muted">{label}</dt>
      <dd className="wrap-anywhere min-w-0 font-medium">{children}</dd>
    </div>
  );
}
