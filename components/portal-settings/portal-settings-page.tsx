'use client';

import useSWR from 'swr';
import { useDisabledReason, useProjectId } from '@/components/projects/use-projects';
import { Card } from '@/components/ui/card';
import { CodeTabs } from '@/components/ui/code-tabs';
import { ErrorPanel } from '@/components/ui/error-panel';
import { TextLink } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { PageSkeleton } from '@/components/ui/skeleton';
import { useBaseUrl } from '@/components/ui/use-base-url';
import type { Project } from '@/lib/orgs/schema';
import { PortalForm } from './portal-form';
import { pageSnippets, serverSnippets } from './portal-snippets';

/**
 * How the portal of a project's customers looks, which pages may show it, and what shows it there.
 * @param portalUrl the origin that serves it
 */
export function PortalSettingsPage({ portalUrl }: { portalUrl: string }) {
  const { data: project, error, mutate } = useSWR<Project>(`/projects/${useProjectId()}`);
  const disabledReason = useDisabledReason('project.manage');
  if (error && project === undefined) {
    return <ErrorPanel what="We couldn’t load the portal" error={error} onRetry={() => void mutate()} />;
  }
  return (
    <>
      <PageHeader
        title="Portal"
        description="A page in your product where your customers manage their endpoints and see what was delivered."
      />
      {project === undefined ? (
        <PageSkeleton parts={['h-112 w-full', 'h-64 w-full']} />
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          <PortalForm
            project={project}
            disabledReason={disabledReason}
            onSaved={(saved) => mutate(saved, { revalidate: false })}
          />
          <Snippets projectId={project.id} portalUrl={portalUrl} />
        </div>
      )}
    </>
  );
}

function Snippets({ projectId, portalUrl }: { projectId: string; portalUrl: string }) {
  const baseUrl = useBaseUrl();
  return (
    <Card
      title="Show it in your product"
      description="Your server makes a link for the customer who is signed in. Your page shows it."
    >
      <div className="grid gap-6 xl:grid-cols-2">
        <section className="grid min-w-0 content-start gap-2">
          <h3 className="font-medium text-sm">On your server</h3>
          <CodeTabs label="Make a link" samples={serverSnippets(baseUrl, projectId)} />
        </section>
        <section className="grid min-w-0 content-start gap-2">
          <h3 className="font-medium text-sm">In your page</h3>
          <CodeTabs label="Show the portal" samples={pageSnippets(portalUrl)} />
        </section>
      </div>
      <p className="mt-4 text-muted text-sm">
        A link opens one session, within five minutes.{' '}
        <TextLink href="/docs/guides/portal">Show your customers their webhooks</TextLink>
      </p>
    </Card>
  );
}
