'use client';

import { RequireSession } from '@/components/auth-session/require-session';
import { DeviceApproval } from './device-approval';
import { DeviceLayout } from './device-layout';
import { DeviceSkeleton } from './device-skeleton';

/** Where a person lets a client sign in as them by the code it shows (RFC 8628). Opening it never approves anything. */
export function DevicePage() {
  return (
    <RequireSession skeleton={<DeviceSkeleton />} returnsHere>
      <DeviceLayout>
        <DeviceApproval />
      </DeviceLayout>
    </RequireSession>
  );
}
