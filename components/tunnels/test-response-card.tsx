'use client';

import { useAsyncAction } from '@/components/form/use-async-action';
import { Card } from '@/components/ui/card';
import { Field } from '@/components/ui/field';
import { InlineError } from '@/components/ui/inline-error';
import { Select } from '@/components/ui/select';
import type { TestResponse } from '@/lib/tunnel/schema';
import { describeTestResponse, TEST_RESPONSES, testResponseKey } from './test-responses';
import type { TunnelActions } from './use-tunnels';

/** Chooses what a test receiver answers, so that retries and disabled endpoints can be watched. */
export function TestResponseCard({
  testResponse,
  update,
  disabledReason,
}: {
  testResponse: TestResponse;
  update: TunnelActions['update'];
  disabledReason: string | undefined;
}) {
  const { error, run } = useAsyncAction();
  const present = testResponseKey(testResponse);
  const options = TEST_RESPONSES.map((each) => ({
    value: testResponseKey(each.response),
    label: each.label,
    description: each.description,
  }));
  const isListed = options.some(({ value }) => value === present);
  const own = { value: present, label: describeTestResponse(testResponse), description: 'Set with the API.' };
  const choose = (key: string) => {
    const chosen = TEST_RESPONSES.find(({ response }) => testResponseKey(response) === key);
    if (chosen !== undefined) void run(() => update({ testResponse: chosen.response }));
  };
  return (
    <Card title="Response" description="The receiver answers every request like this. Change it to watch retries.">
      <div className="grid max-w-sm gap-3">
        <Field label="Answer with">
          {(control) => (
            <Select
              {...control}
              options={isListed ? options : [...options, own]}
              value={present}
              onValueChange={choose}
              disabledReason={disabledReason}
            />
          )}
        </Field>
        <InlineError what="We couldn’t change the response" error={error} />
      </div>
    </Card>
  );
}
