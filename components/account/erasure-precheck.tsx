import { Ban, LogOut, type LucideIcon, Trash2 } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { cn } from '@/components/ui/cn';
import { Link } from '@/components/ui/link';
import type { ErasurePreview } from '@/lib/lifecycle/schema';

type OrganizationName = ErasurePreview['leaves'][number];

/** Groups organizations by what happens to them; those that block the deletion come first. */
export function ErasurePrecheck({ plan }: { plan: ErasurePreview }) {
  const { blocks, deletes, leaves } = plan;
  if (blocks.length + deletes.length + leaves.length === 0) {
    return <p className="text-sm">You aren’t in any organizations. Only your account is deleted.</p>;
  }
  return (
    <div className="grid gap-2.5">
      <Group icon={Ban} tone="danger" title="Blocks deletion" organizations={blocks}>
        {({ id, memberCount }) => (
          <>
            {memberCount} {memberCount === 1 ? 'member' : 'members'}. You’re the last owner:{' '}
            <Link href={`/orgs/${id}/members`} className="font-medium text-accent-text underline underline-offset-4">
              transfer ownership
            </Link>{' '}
            first.
          </>
        )}
      </Group>
      <Group icon={Trash2} tone="danger" title="Deleted with you" organizations={deletes}>
        {() => 'You’re the only member. Its projects, API keys, events and deliveries are deleted too.'}
      </Group>
      <Group icon={LogOut} tone="neutral" title="You’ll leave" organizations={leaves}>
        {() => 'You’re removed. The organization is kept.'}
      </Group>
    </div>
  );
}

function Group<Organization extends OrganizationName>({
  icon: Icon,
  tone,
  title,
  organizations,
  children,
}: {
  icon: LucideIcon;
  tone: 'danger' | 'neutral';
  title: string;
  organizations: Organization[];
  children: (organization: Organization) => ReactNode;
}) {
  const id = useId();
  if (organizations.length === 0) return null;
  return (
    <section aria-labelledby={id} className="rounded-lg border p-3">
      <h3
        id={id}
        className={cn(
          'flex items-center gap-2 font-medium text-sm',
          tone === 'danger' ? 'text-danger-text' : 'text-muted',
        )}
      >
        <Icon aria-hidden="true" className="size-4 shrink-0" />
        {title}
      </h3>
      <ul className="mt-1.5 grid gap-1.5 pl-6">
        {organizations.map((organization) => (
          <li key={organization.id} className="text-sm">
            <span className="break-words font-medium">{organization.name}</span>
            <span className="block text-muted">{children(organization)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
