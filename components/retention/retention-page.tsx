'use client';

import { NoOrganization } from '@/components/orgs/no-organization';
import { useProjects } from '@/components/projects/use-projects';
import { useCurrentRoute } from '@/components/shell/use-current-route';
import { useNavigationScope } from '@/components/shell/use-navigation-scope';
import { Callout } from '@/components/ui/callout';
import { Card } from '@/components/ui/card';
import { useNow } from '@/components/ui/clock';
import { ErrorPanel } from '@/components/ui/error-panel';
import { PageHeader } from '@/components/ui/page-header';
import { PageSkeleton } from '@/components/ui/skeleton';
import type { OrganizationRetention } from '@/lib/retention/schema';
import { RetentionClasses } from './retention-classes';
import { RetentionSchedule } from './retention-schedule';
import { RetentionTimeline } from './retention-timeline';
import { useRetention } from './use-retention';

/** How long data is kept: the rules of the deployment, and the data of the organization. */
export function RetentionPage() {
  const { organization, organizations } = useNavigationScope(useCurrentRoute());
  const listing = useProjects();
  const { data, error, mutate } = useRetention(organization?.id);
  const fault = error ?? (organizations === undefined ? listing.error : undefined);
  return (
    <>
      <PageHeader
        title="Retention"
        description={
          organization === undefined ? (
            'How long data is kept and when it’s deleted.'
          ) : (
            <>
              How long data of <span className="wrap-anywhere font-medium text-text">{organization.name}</span> is kept
              and when it’s deleted. The operator of this deployment sets the rules.
            </>
          )
        }
      />
      {data !== undefined ? (
        <Retention retention={data} />
      ) : fault ? (
        <ErrorPanel
          what="We couldn’t load the retention rules"
          error={fault}
          onRetry={() => void (error ? mutate() : listing.reload())}
        />
      ) : organizations?.length === 0 ? (
        <NoOrganization />
      ) : (
        <PageSkeleton parts={['h-72 w-full', 'h-96 w-full', 'h-40 w-full']} />
      )}
    </>
  );
}

function Retention({ retention: { classes, jobs } }: { retention: OrganizationRetention }) {
  const now = useNow(60_000);
  return (
    <div className="grid gap-4">
      <Card title="How far back data reaches">
        <RetentionTimeline classes={classes} now={now} />
      </Card>
      <Card title="What is kept" description="The rows of your organization, and when the oldest are deleted." flush>
        <RetentionClasses classes={classes} />
        {classes.some(({ leavesByDay }) => leavesByDay) ? (
          <Callout tone="accent" className="m-4">
            Attempts and tunnel requests are stored by UTC day. All rows from a day are deleted at the end of the UTC
            day they expire on.
          </Callout>
        ) : null}
      </Card>
      <Card title="Schedule" description="Expired data is deleted when one of these jobs runs." flush>
        <RetentionSchedule jobs={jobs} />
      </Card>
    </div>
  );
}
