'use client';

import { Button } from '@/components/ui/button';
import type { PortalEndpoint } from '@/lib/portal/schema';
import { EndpointForm, type EndpointValues } from './endpoint-fields';
import { usePortal } from './use-portal';
import type { Navigation } from './use-view';
import { ViewFrame } from './view-frame';

const EMPTY: EndpointValues = { url: '', description: '', eventTypes: ['*'] };

/** Adds an endpoint, and leads to it. */
export function NewEndpointView({ navigation }: { navigation: Navigation }) {
  const { company, fetch } = usePortal();
  const goHome = () => navigation.go({ name: 'home', tab: 'endpoints' });
  const create = async ({ description, ...values }: EndpointValues) => {
    const body = { ...values, description: description.trim() || null };
    const { id } = await fetch<PortalEndpoint>('/endpoints', { method: 'POST', body });
    // Back leads to the list, not to a form that was sent.
    navigation.replace({ name: 'endpoint', endpointId: id, tab: 'verify', isNew: true });
  };
  return (
    <ViewFrame title="Add an endpoint" back={{ label: 'All endpoints', go: goHome }} navigation={navigation}>
      <p className="mt-2 mb-6 max-w-2xl text-muted">
        Enter a URL of your software. {company} sends it a request when something happens.
      </p>
      <EndpointForm initial={EMPTY} label="Add endpoint" failure="We couldn’t add the endpoint" send={create}>
        <Button onClick={goHome}>Cancel</Button>
      </EndpointForm>
    </ViewFrame>
  );
}
