import { redirect } from 'next/navigation';
import { GUIDES_PATH } from '@/components/docs/guides/guide-groups';

export const dynamic = 'force-static';

export default function Page() {
  redirect(GUIDES_PATH);
}
