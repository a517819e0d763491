import { AUDIT_ACTIONS } from '@/lib/audit/types';
import { choice, text, time } from '@/lib/cli/options';

/** The filters of the audit log. */
export const auditFilters = {
  action: choice('--action <action>', 'only this action, such as `project.created`', AUDIT_ACTIONS),
  actor: text('--actor <id>', 'only actions by this person or key'),
  from: time('--from <time>', 'only entries since this time'),
  to: time('--to <time>', 'only entries until this time'),
};
