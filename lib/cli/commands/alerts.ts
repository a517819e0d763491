import type { Alert, AlertMessage, CreatedAlert } from '@/lib/alerts/schema';
import { ALERT_TRIGGERS, type AlertTrigger } from '@/lib/alerts/triggers-policy';
import { usageError } from '@/lib/cli/cli-error';
import { texts } from '@/lib/cli/options';
import { type Column, columns } from '@/lib/cli/output/column';
import { route } from '@/lib/cli/routes/route-command';
import type { GroupSpec } from '@/lib/cli/spec';

const nameOf = (trigger: AlertTrigger) => trigger.toLowerCase().replaceAll('_', '-');
const TRIGGER_NAMES = ALERT_TRIGGERS.map(nameOf).join(', ');

/** The triggers of an alert, as people type them. */
const ON = { on: texts('--on <trigger>', `what it tells of: ${TRIGGER_NAMES} (repeatable)`) };

/** @throws CliError for a trigger that does not exist */
function triggersOf(names: readonly string[]): AlertTrigger[] {
  return names.map((name) => {
    const found = ALERT_TRIGGERS.find((trigger) => nameOf(trigger) === name.toLowerCase().replaceAll('_', '-'));
    if (found === undefined) throw usageError(`There is no trigger ${name}. Triggers: ${TRIGGER_NAMES}.`);
    return found;
  });
}

const STATE: Column<Alert> = {
  header: 'STATE',
  value: ({ enabled, mutedUntil, disabledReason }) => {
    if (!enabled) return disabledReason === null ? 'disabled' : 'disabled: member left';
    return mutedUntil !== null && new Date(mutedUntil) > new Date() ? 'muted' : 'enabled';
  },
  kind: 'state',
};
const TELLS_OF: Column<Alert> = {
  header: 'TELLS OF',
  value: ({ triggers }) => triggers.map(nameOf).join(', '),
  spare: 1,
};
const COLUMNS = columns<Alert>('id', 'name', STATE, 'kind', 'target', 'lastSentAt:2', TELLS_OF);
const MESSAGE = columns<AlertMessage>('createdAt', 'status', 'text', 'error:1', 'id:2');

export const alerts: GroupSpec = {
  summary: 'Tell people by email, webhook or Slack what a project needs.',
  commands: {
    list: route('alerts.list', {
      columns: COLUMNS,
      empty: 'No alerts yet. Create one: eds alerts create <name> --kind email --target <address>',
      examples: { 'alerts list': 'See who is told of what.' },
    }),
    get: route('alerts.get', {
      columns: columns<Alert>(...COLUMNS, 'mutedUntil', 'createdAt', 'updatedAt'),
      examples: { 'alerts get "On call"': 'Show an alert.' },
    }),
    create: route('alerts.create', {
      summary: 'Create an alert. A webhook’s signing secret is shown.',
      details: 'Without --on, it tells of everything.',
      args: ['name'],
      without: ['triggers'],
      options: ON,
      examples: {
        'alerts create "On call" --kind email --target ada@example.com': 'Email a member of everything.',
        'alerts create Pager --kind webhook --target https://example.com/alerts --on endpoint-failing --on endpoint-recovered':
          'Send signed webhooks about failing endpoints.',
      },
      call: async (_context, { options: { on = [] }, send }) =>
        await send({ triggers: on.length === 0 ? [...ALERT_TRIGGERS] : triggersOf(on) }),
      show: ({ out }, created) => {
        out.record(created, columns<CreatedAlert>('id', 'name', 'kind', 'target', TELLS_OF, 'secret'));
        out.hint(`Try it: eds alerts test ${created.id}`);
      },
    }),
    update: route('alerts.update', {
      without: ['triggers'],
      options: ON,
      examples: {
        'alerts update Pager --muted-until 2036-01-31T09:30:00Z': 'Mute an alert for a while.',
        'alerts update Pager --no-muted-until': 'Unmute it.',
        'alerts update Pager --on endpoint-failing': 'Let it tell of failing endpoints only.',
      },
      call: async (_context, { options: { on = [] }, send }) =>
        await send(on.length === 0 ? {} : { triggers: triggersOf(on) }),
      done: ({ name }) => `Changed the alert ${name}.`,
    }),
    delete: route('alerts.remove', {
      examples: { 'alerts delete Pager --yes': 'Delete an alert without confirmation.' },
      confirm: ({ name }) => `Delete the alert ${name} with its messages?`,
      done: (_result, { name }) => `Deleted the alert ${name}.`,
    }),
    test: route('alerts.test', {
      summary: 'Send a test of an alert.',
      examples: { 'alerts test Pager': 'See whether it arrives.' },
      done: ({ status }) => (status === 'SENT' ? 'Queued the email.' : 'The test is sent within seconds.'),
      after: ({ out }) => out.note('Show the result: eds alerts messages <alert>'),
    }),
    messages: route('alerts.listMessages', {
      columns: MESSAGE,
      empty: 'It has said nothing yet.',
      examples: { 'alerts messages Pager': 'See what it said, and what arrived.' },
    }),
  },
};
