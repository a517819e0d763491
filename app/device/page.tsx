import type { Metadata } from 'next';
import { DevicePage } from '@/components/device/device-page';

export const metadata: Metadata = { title: 'Approve a device' };

/** A page that the build renders has no nonce for its scripts. */
export const dynamic = 'force-dynamic';

export default function Page() {
  return <DevicePage />;
}
