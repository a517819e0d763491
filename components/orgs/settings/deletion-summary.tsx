'use client';

import { type LucideIcon, ScrollText, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useProjects } from '@/components/projects/use-projects';
import { cn } from '@/components/ui/cn';

/** Lists what is deleted with an organization, and what is kept. */
export function DeletionSummary({ organizationId }: { organizationId: string }) {
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
