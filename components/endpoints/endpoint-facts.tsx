'use client';

import { useTestReceiver } from '@/components/tunnels/use-test-receiver';
import { Card } from '@/components/ui/card';
import { Link } from '@/components/ui/link';
import { RelativeTime } from '@/components/ui/relative-time';
import { Stat, StatList } from '@/components/ui/stat';
import type { Endpoint } from '@/lib/delivery/schema';
import { EndpointState } from './endpoint-state';
import { describeRetrySeconds } from './retry-schedule';

/** The state and the retry schedule of an endpoint. */
export function EndpointFacts({ projectId, endpoint }: { projectId: string; endpoint: Endpoint }) {
  const receiver = useTestReceiver(projectId, endpoint.url);
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
        <Stat label="Retries">{describeRetrySeconds(endpoint.retrySeconds)}</Stat>
        <Stat label="Deliveries">
          <Link href={`/projects/${projectId}/deliveries?endpointId=${endpoint.id}`} className={link}>
            View deliveries
          </Link>
        </Stat>
        {receiver === undefined ? null : (
          <Stat label="Test receiver">
            <Link href={`/projects/${projectId}/tunnels/${receiver.id}`} className={link}>
              See what arrived
            </Link>
          </Stat>
        )}
        <Stat label="Created">
          <RelativeTime at={endpoint.createdAt} />
        </Stat>
      </StatList>
    </Card>
  );
}
