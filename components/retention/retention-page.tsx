'use client';

import { CircleAlert } from 'lucide-react';
import { NoOrganization } from '@/components/orgs/create-organization-dialog';
import { useProjects } from '@/components/projects/use-projects';
import { useCurrentRoute, useNavigationScope } from '@/components/shell/use-navigation-scope';
import { Badge } from '@/components/ui/badge';
import { Callout } from '@/components/ui/callout';
import { Card } from '@/components/ui/card';
import { useNow } from '@/components/ui/clock';
import { ErrorPanel } from '@/components/ui/error-panel';
import { PageHeader } from '@/components/ui/page-header';
import { RelativeTime } from '@/components/ui/relative-time';
import { PageSkeleton } from '@/components/ui/skeleton';
import { RowsTable, type TableColumn } from '@/components/ui/table';
import type { CleanupJob, CleanupSchedule, OrganizationRetention } from '@/lib/retention/schema';
import { CronText } from './cron-text';
import { MaybeTime, NameAndPurpose, RetentionClasses } from './retention-classes';
import { useRetention } from './retention-notes';
import { RetentionTimeline } from './retention-timeline';

const JOB_LABELS: Record<CleanupJob, { label: string; about: string }> = {
  main: { label: 'Main cleanup', about: 'Deletes all expired data.' },
  burst: { label: 'Extra cleanup', about: 'Deletes expired data between two main cleanups, for up to a minute.' },
  cap: { label: 'Attempts per delivery', about: 'Deletes all but the newest attempts of each delivery.' },
};

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
      <Card
        title="What is kept"
        description="How long each kind of data is kept, how much of it your organization has, and when the oldest is deleted."
        flush
      >
        <RetentionClasses classes={classes} />
        {classes.some(({ leavesByDay }) => leavesByDay) ? (
          <Callout tone="accent" className="m-4">
            Attempts and tunnel requests expire by UTC day: what expires during a day is deleted after that day has
            ended.
          </Callout>
        ) : null}
      </Card>
      <Card title="Schedule" description="Expired data is deleted when the next of these jobs runs." flush>
        <RowsTable label="Cleanups" columns={JOB_COLUMNS} rows={jobs} keyOf={({ job }) => job} />
      </Card>
    </div>
  );
}

const JOB_COLUMNS: TableColumn<CleanupSchedule>[] = [
  { header: 'Cleanup', className: 'py-2.5', cell: ({ job }) => <NameAndPurpose {...JOB_LABELS[job]} /> },
  { header: 'Runs', cell: ({ cron }) => <CronText cron={cron} /> },
  { header: 'Last run', cell: ({ lastRun }) => <LastRun run={lastRun} /> },
  { header: 'Next run', cell: ({ nextRunAt }) => <MaybeTime at={nextRunAt} otherwise="Never" /> },
];

function LastRun({ run }: { run: CleanupSchedule['lastRun'] }) {
  if (run === null) return <span className="text-muted">Not yet</span>;
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <RelativeTime at={run.startedAt} />
      {run.failed ? (
        <Badge tone="danger" icon={CircleAlert}>
          Failed
        </Badge>
      ) : null}
    </span>
  );
}
