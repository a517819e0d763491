'use client';

import { History } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { describeError } from '@/components/auth-session/api-error';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/toast';

/** Sends a logged request again and opens the new one. */
export function ReplayButton({
  replay,
  hrefOf,
  disabledReason,
}: {
  replay: () => Promise<string | null>;
  hrefOf: (requestId: string) => string;
  disabledReason: string | undefined;
}) {
  const router = useRouter();
  const [pending, setPending] = useState(false);
  const run = async () => {
    setPending(true);
    try {
      const id = await replay();
      toast.success('Request replayed.');
      if (id !== null) router.push(hrefOf(id));
    } catch (error) {
      toast.error(`We couldn’t replay the request. ${describeError(error).detail}`);
    } finally {
      setPending(false);
    }
  };
  return (
    <Button variant="primary" loading={pending} disabledReason={disabledReason} onClick={() => void run()}>
      <History aria-hidden="true" />
      Replay
    </Button>
  );
}
