import { formatCount } from '@/components/operator/format-size';
import { Badge } from '@/components/ui/badge';
import { Card } from '@/components/ui/card';
import { CopyableId } from '@/components/ui/copyable-id';
import type { OrganizationDetail } from '@/lib/admin/schema';

const ROW = 'flex flex-wrap items-center gap-x-4 gap-y-1 border-t px-4 py-2.5 text-sm first:border-t-0';

export function MemberList({ organization: { members, memberCount } }: { organization: OrganizationDetail }) {
  return (
    <Card title="Members" description={shownOf(members.length, memberCount)} flush>
      {members.length === 0 ? <Nothing>This organization has no members.</Nothing> : null}
      <ul>
        {members.map(({ userId, email, name, role }) => (
          <li key={userId} className={ROW}>
            <span className="wrap-anywhere min-w-0 flex-1 basis-48">
              <span className="font-medium">{email}</span>
              {name === null ? null : <span className="text-muted"> {name}</span>}
            </span>
            <Badge tone={role === 'OWNER' ? 'accent' : 'neutral'}>{role}</Badge>
            <CopyableId id={userId} label={`Copy the ID of ${email}`} short />
          </li>
        ))}
      </ul>
    </Card>
  );
}

export function ProjectList({ organization: { projects, projectCount } }: { organization: OrganizationDetail }) {
  return (
    <Card title="Projects" description={shownOf(projects.length, projectCount)} flush>
      {projects.length === 0 ? <Nothing>This organization has no projects.</Nothing> : null}
      <ul>
        {projects.map(({ id, name, deletedAt }) => (
          <li key={id} className={ROW}>
            <span className="wrap-anywhere min-w-0 flex-1 basis-48 font-medium">{name}</span>
            {deletedAt === null ? null : <Badge tone="warning">Being deleted</Badge>}
            <CopyableId id={id} label={`Copy the ID of ${name}`} short />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Says how many entries an incomplete list shows. */
function shownOf(shown: number, count: number): string | undefined {
  return shown < count ? `Showing ${formatCount(shown)} of ${formatCount(count)}.` : undefined;
}

function Nothing({ children }: { children: string }) {
  return <p className="px-4 py-3 text-muted text-sm">{children}</p>;
}
