'use client';

import { useApiForm } from '@/components/form/use-api-form';
import { explainPattern } from '@/components/subscriptions/explain-pattern';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';

/** Subscribes to a type that was not seen yet, or to a pattern. */
export function AddTypeForm({
  add,
  disabledReason,
}: {
  add: (eventType: string) => Promise<void>;
  disabledReason: string | undefined;
}) {
  const form = useApiForm({
    defaultValues: { eventType: '' },
    send: async ({ eventType }) => {
      await add(eventType.trim());
      form.setValue('eventType', '');
    },
  });
  return (
    <form noValidate onSubmit={form.submit} className="mt-4 flex items-start gap-2 border-t pt-4">
      <Field
        label="Another type or pattern"
        className="min-w-0 flex-1"
        error={form.fieldError('eventType')}
        hint={explainPattern(form.watch('eventType'))}
      >
        {(control) => (
          <Input
            {...control}
            {...form.register('eventType', { required: 'Enter an event type.' })}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="order.*"
            className="font-mono"
          />
        )}
      </Field>
      <Button type="submit" className="mt-6.5 h-9" loading={form.pending} disabledReason={disabledReason}>
        Add
      </Button>
    </form>
  );
}
