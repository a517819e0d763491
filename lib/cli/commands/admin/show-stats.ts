import { command } from '@/lib/cli/spec';

export const showStats = command({
  name: 'stats',
  summary: 'Show statistics of the deployment.',
  examples: [{ line: 'admin stats --json', does: 'Get all statistics as JSON.' }],
  run: async ({ operator, signal, out }) => {
    out.record(await operator.admin.getStats({ signal }), [
      { header: 'ORGANIZATIONS', value: ({ organizations }) => organizations.living },
      { header: 'PEOPLE', value: ({ users }) => users },
      { header: 'PROJECTS', value: ({ projects }) => projects },
      {
        header: 'ENDPOINTS',
        value: ({ endpoints }) =>
          `${endpoints.enabled} enabled, ${endpoints.paused} paused, ${endpoints.disabled} disabled`,
      },
      { header: 'EVENTS IN 24 H', value: ({ last24Hours }) => last24Hours.events },
      { header: 'INCOMING IN 24 H', value: ({ last24Hours }) => last24Hours.incomingEvents },
      { header: 'DELIVERIES DUE', value: ({ deliveries }) => deliveries.due },
      { header: 'DELIVERIES QUEUED', value: ({ deliveries }) => deliveries.queued },
      { header: 'DELIVERIES RETRYING', value: ({ deliveries }) => deliveries.retrying },
      { header: 'OLDEST DUE', value: ({ deliveries }) => deliveries.oldestDueAt, kind: 'time' },
      { header: 'OUTBOX', value: ({ outbox }) => `${outbox.pending} waiting, ${outbox.dead} dead` },
      { header: 'WORKERS ALIVE', value: ({ workers }) => workers.filter(({ alive }) => alive).length },
      { header: 'DATABASE', value: ({ database }) => database.sizeBytes, kind: 'size' },
    ]);
  },
});
