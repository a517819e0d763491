'use client';

import { Send } from 'lucide-react';
import { useState } from 'react';
import { useAsyncAction } from '@/components/form/use-async-action';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Card } from '@/components/ui/card';
import { formatDuration } from '@/components/ui/format-time';
import { InlineError } from '@/components/ui/inline-error';
import type { TestResult } from '@/lib/delivery/schema';

/** Sends one signed test event and shows the response of the receiver. */
export function SendTestCard({
  sendTest,
  disabledReason,
}: {
  sendTest: () => Promise<TestResult>;
  disabledReason: string | undefined;
}) {
  const [result, setResult] = useState<TestResult | null>(null);
  const { pending, error, run } = useAsyncAction();
  const send = () => {
    setResult(null);
    return run(async () => setResult(await sendTest()));
  };
  return (
    <Card
      title="Test"
      description="Sends one signed event to this URL. The event is not stored."
      actions={
        <Button size="sm" loading={pending} disabledReason={disabledReason} onClick={() => void send()}>
          <Send aria-hidden="true" />
          Send test
        </Button>
      }
    >
      <Outcome pending={pending} result={result} error={error} />
    </Card>
  );
}

/** The result of the test, or why it was not sent, such as a rate limit. */
function Outcome({ pending, result, error }: { pending: boolean; result: TestResult | null; error: unknown }) {
  if (error !== undefined) return <InlineError what="The test could not be sent" error={error} />;
  if (result === null) {
    return <p className="text-muted text-sm">{pending ? 'Waiting for the receiver…' : 'The response appears here.'}</p>;
  }
  return (
    <Callout tone={result.succeeded ? 'success' : 'danger'} role="status">
      <span className="font-medium">{result.succeeded ? 'Delivered.' : 'Not delivered.'}</span> {sentenceOf(result)}
    </Callout>
  );
}

function sentenceOf({ responseStatus, durationMs, error }: TestResult): string {
  const took = formatDuration(durationMs);
  if (responseStatus !== null) return `The receiver responded with ${responseStatus} in ${took}.`;
  return `${error ?? 'No response'}, after ${took}.`;
}
