'use client';

import useSWR from 'swr';
import type { CursorPage } from '@/components/data-table/use-pages';
import type { Tunnel } from '@/lib/tunnel/schema';
import { findTestReceiver } from './test-receiver';
import { tunnelsPath } from './use-tunnels';

/** Loads the test receiver that an endpoint delivers to; undefined when it delivers elsewhere. */
export function useTestReceiver(projectId: string, endpointUrl: string): Tunnel | undefined {
  const isTunnel = endpointUrl.includes('/t/');
  const { data } = useSWR<CursorPage<Tunnel>>(isTunnel ? `${tunnelsPath(projectId)}?limit=100` : null);
  return findTestReceiver(data?.data ?? [], endpointUrl);
}
