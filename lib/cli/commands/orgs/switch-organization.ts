import { changeProfile } from '@/lib/cli/config/change-profile';
import type { Context } from '@/lib/cli/context';

/** Makes an organization the one of the session and of the profile. The project of the profile is forgotten: it is elsewhere. */
export async function switchOrganization(context: Context, organizationId: string): Promise<void> {
  const { access } = context;
  if (access.kind === 'session') await access.session.switchOrganization(organizationId);
  await changeProfile(context, { organizationId, projectId: undefined });
}
