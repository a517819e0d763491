'use client';

import { useState } from 'react';
import { AccountSection } from '@/components/account/account-section';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { useToastAction } from '@/components/form/use-async-action';
import { type Role, roleDisabledReason } from '@/components/projects/role-disabled-reason';
import { Select } from '@/components/ui/select';
import { toast } from '@/components/ui/toast';
import type { EventTypePolicy, Project } from '@/lib/orgs/schema';

const POLICIES = [
  { value: 'OPEN', label: 'Store them', description: 'Whatever is sent. Nothing is checked.' },
  { value: 'REPORT', label: 'Store and count them', description: 'The page of a type says how many differ.' },
  {
    value: 'STRICT',
    label: 'Refuse them',
    description: 'Senders get 400 for a type that is not defined, and for data that differs from its schema.',
  },
] as const;

/** What happens to events that differ from the catalogue. */
export function PolicySection({
  project,
  role,
  onChanged,
}: {
  project: Project;
  role: Role;
  onChanged: (project: Project) => Promise<unknown>;
}) {
  const [chosen, setChosen] = useState<EventTypePolicy | null>(null);
  const { pending, run } = useToastAction('We couldn’t change the policy');
  const change = (eventTypePolicy: EventTypePolicy) => {
    setChosen(eventTypePolicy);
    run(async () => {
      const body = { eventTypePolicy };
      await onChanged(
        await apiFetch<Project>(`/projects/${project.id}`, { method: 'PATCH', body }).finally(() => setChosen(null)),
      );
      toast.success('Policy changed. It takes effect within 10 seconds.');
    });
  };
  const value = chosen ?? project.eventTypePolicy;
  return (
    <AccountSection
      title="Event types"
      description="What happens to events that differ from the catalogue of event types."
    >
      <Select
        aria-label="Events that differ"
        className="w-full max-w-sm"
        options={POLICIES}
        value={value}
        onValueChange={change}
        disabledReason={roleDisabledReason(role, 'project.manage') ?? (pending ? 'Saving…' : undefined)}
      />
      <p className="mt-2 text-muted text-sm">{POLICIES.find((policy) => policy.value === value)?.description}</p>
    </AccountSection>
  );
}
