'use client';

import Link from 'next/link';
import { useSubscriptions } from '@/components/subscriptions/use-subscriptions';
import { Card } from '@/components/ui/card';
import { RelativeTime } from '@/components/ui/relative-time';
import { Stat, StatList } from '@/components/ui/stat';
import type { Endpoint } from '@/lib/delivery/schema';
import { EndpointState } from './endpoint-state';
import { describeRetrySeconds } from './retry-schedule';

/** The state, subscriptions and retry schedule of an endpoint. */
export function EndpointFacts({ projectId, endpoint }: { projectId: string; endpoint: Endpoint }) {
  const { rows } = useSubscriptions(projectId);
  const subscribed = rows?.filter((row) => row.endpointId === endpoint.id && row.enabled).map((row) => row.eventType);
  const link = 'font-medium text-accent-text hover:underline';
  return (
    <Card>
      <StatList>
        <Stat label="State">
          <EndpointState endpoint={endpoint} />
          {endpoint.failingSince && endpoint.enabled ? (
            <span className="ml-2 text-muted text-xs">
              since <RelativeTime at={endpoint.failingSince} />
            </span>
          ) : null}
        </Stat>
        <Stat label="Receives">
          <Link href={`/projects/${projectId}/subscriptions`} className={link}>
            {subscribed === undefined ? '…' : subscribed.length === 0 ? 'Nothing yet. Add a subscription' : null}
            {subscribed && subscribed.length > 0 ? (
              <span className="break-all font-mono text-xs">{subscribed.join(', ')}</span>
            ) : null}
          </Link>
        </Stat>
        <Stat label="Retries">{describeRetrySeconds(endpoint.retrySeconds)}</Stat>
        <Stat label="Deliveries">
          <Link href={`/projects/${projectId}/deliveries?endpointId=${endpoint.id}`} className={link}>
            View deliveries
          </Link>
        </Stat>
        <Stat label="Created">
          <RelativeTime at={endpoint.createdAt} />
        </Stat>
      </StatList>
    </Card>
  );
}
