import type { Metadata } from 'next';
import { HomePage } from '@/components/onboarding/home-page';

export const metadata: Metadata = { title: 'Start' };

export default function Page() {
  return <HomePage />;
}
