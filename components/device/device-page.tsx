'use client';

import { RequireSession } from '@/components/auth-session/require-session';
import { DeviceApproval } from './device-approval';
import { DeviceLayout } from './device-layout';
import { DeviceSkeleton } from './device-skeleton';

/** The page where a person approves a device by its code (RFC 8628). Opening it approves nothing. */
export function DevicePage() {
  return (
    <RequireSession skeleton={<DeviceSkeleton />} returnsHere>
      <DeviceLayout>
        <DeviceApproval />
      </DeviceLayout>
    </RequireSession>
  );
}
