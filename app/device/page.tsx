import type { Metadata } from 'next';

export { DevicePage as default } from '@/components/device/device-page';

export const metadata: Metadata = { title: 'Approve a device' };

/** A page that the build renders has no nonce for its scripts. */
export const dynamic = 'force-dynamic';
