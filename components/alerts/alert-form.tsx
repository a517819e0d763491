'use client';

import { useId } from 'react';
import { changed } from '@/components/form/changed';
import { ChoicePills } from '@/components/form/choice-pills';
import { CODE, DialogForm, TextField } from '@/components/form/form-fields';
import { type ApiForm, useApiForm } from '@/components/form/use-api-form';
import { useMe } from '@/components/projects/use-projects';
import { Checkbox } from '@/components/ui/checkbox';
import { useNow } from '@/components/ui/clock';
import { formatRelative } from '@/components/ui/format-time';
import type { Alert, AlertKind } from '@/lib/alerts/schema';
import { ALERT_TRIGGERS, type AlertTrigger, TRIGGER_WORDS } from '@/lib/alerts/triggers-policy';
import { KIND_WORDS } from './alert-state';

interface Values {
  name: string;
  kind: AlertKind;
  target: string;
  triggers: AlertTrigger[];
}

const KINDS: Readonly<Record<AlertKind, { hint: string; label: string; placeholder: string }>> = {
  EMAIL: {
    hint: 'An email to a member of this organization.',
    label: 'Address',
    placeholder: 'ada@example.com',
  },
  WEBHOOK: {
    hint: 'A signed POST to a URL of yours, with a secret of its own.',
    label: 'URL',
    placeholder: 'https://example.com/alerts',
  },
  SLACK: {
    hint: 'A message to a channel, by an incoming webhook of Slack.',
    label: 'URL of the incoming webhook',
    placeholder: 'https://hooks.slack.com/services/…',
  },
};
const CHOICES = Object.entries(KIND_WORDS).map(([value, label]) => ({ value, label }));
const RECOMMENDED: AlertTrigger[] = ['ENDPOINT_FAILING', 'ENDPOINT_DISABLED', 'ENDPOINT_RECOVERED', 'BACKLOG'];

const bodyOf = (values: Values) => ({ ...values, target: values.target.trim() });

/** Creates or edits an alert. */
export function AlertForm({ alert, send }: { alert?: Alert; send: (body: object) => Promise<unknown> }) {
  const email = useMe().data?.user.email ?? '';
  const form = useApiForm<Values>({
    defaultValues: {
      name: alert?.name ?? '',
      kind: alert?.kind ?? 'EMAIL',
      target: alert === undefined ? email : (alert.target ?? ''),
      triggers: alert?.triggers ?? RECOMMENDED,
    },
    send: (values, shown) => send(alert === undefined ? bodyOf(values) : changed(bodyOf(values), bodyOf(shown))),
  });
  const { label, hint, placeholder } = KINDS[form.watch('kind')];
  const kindControl = form.register('kind', {
    onChange: () => {
      if (form.getValues('target') === email) form.setValue('target', '');
    },
  });
  return (
    <DialogForm
      form={form}
      label={alert === undefined ? 'Create alert' : 'Save alert'}
      failure="We couldn’t save the alert"
    >
      <TextField
        form={form}
        name="name"
        rules={{ required: 'Give the alert a name.' }}
        label="Name"
        placeholder="On call"
      />
      {alert === undefined ? (
        <ChoicePills legend="How it tells" choices={CHOICES} control={kindControl} hint={hint} />
      ) : null}
      <TextField
        form={form}
        name="target"
        rules={{ required: 'Enter where it goes.' }}
        label={label}
        placeholder={placeholder}
        {...CODE}
      />
      <TriggersField form={form} alert={alert} />
    </DialogForm>
  );
}

/** The triggers of an alert, each with what it means and when it fired last. */
function TriggersField({ form, alert }: { form: ApiForm<Values>; alert: Alert | undefined }) {
  const id = useId();
  const now = useNow(60_000);
  const chosen = form.watch('triggers');
  const error = form.fieldError('triggers');
  const toggle = (trigger: AlertTrigger) =>
    form.setValue(
      'triggers',
      ALERT_TRIGGERS.filter((each) => (each === trigger) !== chosen.includes(each)),
    );
  return (
    <fieldset className="grid min-w-0 gap-3" aria-describedby={error === undefined ? undefined : `${id}-error`}>
      <legend className="mb-1.5 font-medium text-sm">What it tells of</legend>
      {ALERT_TRIGGERS.map((trigger) => {
        const { label, meaning } = TRIGGER_WORDS[trigger];
        const firedAt = alert?.lastFired.find((fired) => fired.trigger === trigger)?.firedAt;
        return (
          <label key={trigger} htmlFor={`${id}-${trigger}`} className="flex min-w-0 items-start gap-2.5 text-sm">
            <Checkbox
              id={`${id}-${trigger}`}
              className="mt-0.5"
              checked={chosen.includes(trigger)}
              onChange={() => toggle(trigger)}
              aria-describedby={`${id}-${trigger}-meaning`}
            />
            <span className="min-w-0">
              <span className="block font-medium">{label}</span>
              <span id={`${id}-${trigger}-meaning`} className="block text-muted text-xs">
                {meaning}
                {firedAt === undefined ? '' : ` Last fired ${formatRelative(new Date(firedAt), now)}.`}
              </span>
            </span>
          </label>
        );
      })}
      {error === undefined ? null : (
        <p id={`${id}-error`} role="alert" className="text-danger-text text-sm">
          {error}
        </p>
      )}
    </fieldset>
  );
}
