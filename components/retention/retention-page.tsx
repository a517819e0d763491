'use client';

import { NoOrganization } from '@/components/orgs/no-organization';
import { useProjects } from '@/components/projects/use-projects';
import { useCurrentRoute } from '@/components/shell/use-current-route';
import { useNavigationScope } from '@/components/shell/use-navigation-scope';
import { Callout } from '@/components/ui/callout';
import { Card } from '@/components/ui/card';
import { ErrorPanel } from '@/components/ui/error-panel';
import { PageHeader } from '@/components/ui/page-header';
import { LoadingLabel, Skeleton } from '@/components/ui/skeleton';
import { useNow } from '@/components/ui/use-now';
import type { OrganizationRetention } from '@/lib/retention/schema';
import { RetentionClasses } from './retention-classes';
import { RetentionSchedule } from './retention-schedule';
import { RetentionTimeline } from './retention-timeline';
import { useRetention } from './use-retention';

/** How long data is kept, for members: the rules of the deployment and what their own organization has. */
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
            'How long data is kept, and when it leaves.'
          ) : (
            <>
              How long data is kept, and when that of{' '}
              <span className="wrap-anywhere font-medium text-text">{organization.name}</span> leaves. The operator of
              this deployment sets the rules.
            </>
          )
        }
      />
      {data !== undefined ? (
        <Retention retention={data} />
      ) : fault ? (
        <ErrorPanel
          what="What is kept could not be loaded"
          error={fault}
          onRetry={() => void (error ? mutate() : listing.reload())}
        />
      ) : organizations?.length === 0 ? (
        <NoOrganization />
      ) : (
        <RetentionSkeleton />
      )}
    </>
  );
}

function Retention({ retention: { classes, jobs } }: { retention: OrganizationRetention }) {
  const now = useNow(60_000);
  return (
    <div className="grid gap-4">
      <Card title="How time passes">
        <RetentionTimeline classes={classes} now={now} />
      </Card>
      <Card title="What is kept" description="Your rows are those of your organization alone." flush>
        <RetentionClasses classes={classes} />
        {classes.some(({ leavesByDay }) => leavesByDay) ? (
          <Callout tone="accent" className="m-4">
            Attempts and tunnel requests are stored by UTC day: their rows leave at the end of the UTC day on which they
            expire, all at once.
          </Callout>
        ) : null}
      </Card>
      <Card title="Schedule" description="Data leaves when one of these runs." flush>
        <RetentionSchedule jobs={jobs} />
      </Card>
    </div>
  );
}

function RetentionSkeleton() {
  return (
    <div className="grid gap-4">
      <LoadingLabel />
      <Skeleton className="h-72 w-full" />
      <Skeleton className="h-96 w-full" />
      <Skeleton className="h-40 w-full" />
    </div>
  );
}
