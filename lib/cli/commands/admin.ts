import type { OrganizationDetail, OrganizationOverview, Stats, UserRecord } from '@/lib/admin/schema';
import { columns } from '@/lib/cli/output/column';
import { route } from '@/lib/cli/routes/route-command';
import { command, type GroupSpec } from '@/lib/cli/spec';
import { AUDIT_COLUMNS } from './audit';

const orgs: GroupSpec = {
  summary: 'See and delete organizations.',
  commands: {
    list: route('admin.listOrganizations', {
      summary: 'List all organizations, newest first.',
      columns: columns<OrganizationOverview>(
        'id',
        'name',
        { header: 'MEMBERS', value: ({ memberCount }) => memberCount },
        { header: 'PROJECTS', value: ({ projectCount }) => projectCount },
        'createdAt',
        'deletedAt:1',
      ),
      empty: 'No organizations match.',
      examples: { 'admin orgs list --name acme': 'Find an organization.' },
    }),
    get: route('admin.getOrganization', {
      summary: 'Show an organization with its members, projects and stored data.',
      examples: { 'admin orgs get $ORG_ID': 'Show how much an organization stores.' },
      columns: columns<OrganizationDetail>(
        'id',
        'name',
        'createdAt',
        {
          header: 'MEMBERS',
          value: ({ members }) => members.map(({ email, role }) => `${email} (${role})`).join(', '),
        },
        { header: 'PROJECTS', value: ({ projects }) => projects.map(({ name }) => name).join(', ') },
        { header: 'ENDPOINTS', value: ({ counts }) => counts.endpoints },
        { header: 'STORED', value: ({ storage }) => storage.map(({ kind, rows }) => `${rows} ${kind}`).join(', ') },
      ),
    }),
    delete: route('admin.eraseOrganization', {
      summary: 'Delete an organization with all its data.',
      examples: { 'admin orgs delete $ORG_ID --yes': 'Delete it without confirmation.' },
      find: ({ operator }, args) => operator.admin.getOrganization(args['organization-id'] ?? ''),
      confirm: ({ name }) => `Delete the organization ${name} with all its data? This can’t be undone.`,
      done: (_result, { name }) => `Deleted the organization ${name}.`,
    }),
  },
};

const users: GroupSpec = {
  summary: 'Help people who can’t sign in.',
  commands: {
    search: route('admin.searchUsers', {
      summary: 'Find people by their email address.',
      columns: columns<UserRecord>(
        'id',
        'email',
        'name:2',
        { header: 'ORGANIZATIONS', value: ({ organizations }) => organizations.map(({ name }) => name).join(', ') },
        { header: 'SESSIONS', value: ({ openSessions }) => openSessions },
        { header: 'LOCKED UNTIL', value: ({ lockout }) => lockout?.lockedUntil, kind: 'time', spare: 1 },
      ),
      empty: 'No users match.',
      examples: { 'admin users search --email ana@': 'Find a person who needs help.' },
    }),
    unlock: route('admin.unlockUser', {
      summary: 'End the lockout of a person after failed sign-ins.',
      examples: { 'admin users unlock $USER_ID': 'Let a person sign in again.' },
      done: () => 'The person can sign in again.',
    }),
    'close-sessions': route('admin.closeUserSessions', {
      summary: 'Sign a person out everywhere.',
      examples: { 'admin users close-sessions $USER_ID --yes': 'Close all sessions of a person.' },
      confirm: () => 'Sign this person out everywhere?',
      done: () => 'Signed the person out everywhere.',
    }),
  },
};

const retention: GroupSpec = {
  summary: 'View and run the jobs that delete old data.',
  commands: {
    show: command({
      operations: ['admin.getRetention'],
      summary: 'Show when each retention job runs next.',
      examples: { 'admin retention show': 'Check that old data is deleted.' },
      run: async ({ operator, out }) => {
        const state = await operator.admin.getRetention();
        if (out.isJson) return out.record(state, []);
        await out.list(
          state.schedules,
          columns<(typeof state.schedules)[number]>(
            'job',
            {
              header: 'SCHEDULE',
              value: ({ cron, everyMs }) => cron ?? (everyMs === null ? 'on demand' : `every ${everyMs / 1000} s`),
            },
            { header: 'NEXT RUN', value: ({ nextRunAt }) => nextRunAt, kind: 'time' },
          ),
          { limit: undefined, empty: 'No jobs are configured.' },
        );
        for (const { table, warning } of state.classes) {
          if (warning !== null) out.note(`${table} is ${warning}.`);
        }
      },
    }),
    run: route('admin.runRetention', {
      summary: 'Run a retention job now. A long one continues on the server.',
      examples: { 'admin retention run main': 'Delete old data now.' },
      call: async (_context, { args: { job }, send }) => {
        await send();
        return { job, started: true };
      },
      done: ({ job }) => `The job ${job} has run, or is still running on the server. See: eds admin retention show`,
    }),
  },
};

export const admin: GroupSpec = {
  summary: 'Operate the deployment. Requires `EDS_ADMIN_TOKEN`.',
  commands: {
    stats: route('admin.getStats', {
      summary: 'Show statistics of the deployment.',
      examples: { 'admin stats --json': 'Get all statistics as JSON.' },
      columns: columns<Stats>(
        { header: 'ORGANIZATIONS', value: ({ organizations }) => organizations.living },
        { header: 'PEOPLE', value: ({ users }) => users },
        'projects',
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
      ),
    }),
    orgs,
    users,
    audit: route('admin.listAuditLog', {
      summary: 'List the audit log of all organizations, newest first.',
      columns: AUDIT_COLUMNS,
      empty: 'No entries match.',
      examples: { 'admin audit --from 1d': 'List changes from the last day.' },
    }),
    retention,
  },
};
