import type { Metadata } from 'next';

export { HomePage as default } from '@/components/onboarding/home-page';

export const metadata: Metadata = { title: 'Start' };
