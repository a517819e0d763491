import { toast } from '@/components/ui/toast';
import { signOut } from './session';

/** Signs out in every tab, and says so when the server did not confirm it. */
export function leave(): void {
  void signOut().catch(() =>
    toast.error('You’re signed out here, but the server didn’t confirm that the session is closed.'),
  );
}
