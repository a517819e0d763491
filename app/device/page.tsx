import type { Metadata } from 'next';
import { DevicePage } from '@/components/device/device-page';

export const metadata: Metadata = { title: 'Approve a device' };

export default function Page() {
  return <DevicePage />;
}
