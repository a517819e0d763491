import * as accounts from '@/lib/accounts/schema';
import * as admin from '@/lib/admin/schema';
import * as alerts from '@/lib/alerts/schema';
import * as audit from '@/lib/audit/schema';
import * as auth from '@/lib/auth/schema';
import * as changes from '@/lib/changes/schema';
import * as customers from '@/lib/customers/schema';
import * as endpointOptions from '@/lib/delivery/endpoint-options-policy';
import * as delivery from '@/lib/delivery/schema';
import * as events from '@/lib/events/schema';
import * as idp from '@/lib/idp/schema';
import * as incoming from '@/lib/incoming/schema';
import * as jobs from '@/lib/jobs/schema';
import * as keys from '@/lib/keys/schema';
import * as organizationExport from '@/lib/lifecycle/export/schema';
import * as lifecycle from '@/lib/lifecycle/schema';
import * as orgs from '@/lib/orgs/schema';
import * as portal from '@/lib/portal/schema';
import * as retention from '@/lib/retention/schema';
import * as search from '@/lib/search/schema';
import * as stats from '@/lib/stats/schema';
import * as tunnel from '@/lib/tunnel/schema';
import * as usage from '@/lib/usage/schema';

/** The modules that export the schemas of requests and responses. A schema is named after its export, in all modules once. */
export const SCHEMA_MODULES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'lib/accounts/schema': accounts,
  'lib/admin/schema': admin,
  'lib/alerts/schema': alerts,
  'lib/audit/schema': audit,
  'lib/auth/schema': auth,
  'lib/changes/schema': changes,
  'lib/customers/schema': customers,
  'lib/delivery/endpoint-options-policy': endpointOptions,
  'lib/delivery/schema': delivery,
  'lib/events/schema': events,
  'lib/idp/schema': idp,
  'lib/incoming/schema': incoming,
  'lib/jobs/schema': jobs,
  'lib/keys/schema': keys,
  'lib/lifecycle/export/schema': organizationExport,
  'lib/lifecycle/schema': lifecycle,
  'lib/orgs/schema': orgs,
  'lib/portal/schema': portal,
  'lib/retention/schema': retention,
  'lib/search/schema': search,
  'lib/stats/schema': stats,
  'lib/tunnel/schema': tunnel,
  'lib/usage/schema': usage,
};
