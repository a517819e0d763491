import * as z from 'zod';
import { ROLES } from '@/lib/audit/types';
import { Id } from '@/lib/platform/ids';
import { Name } from '@/lib/platform/text';

export const RoleName = z.enum(ROLES);

/** An organization as its member sees it in a list: with their own role. */
export const OrganizationSummary = z.object({ id: Id, name: z.string(), role: RoleName });
export type OrganizationSummary = z.infer<typeof OrganizationSummary>;

export const Organization = OrganizationSummary.extend({ createdAt: z.string() });
export type Organization = z.infer<typeof Organization>;

export const CreateOrganizationBody = z.strictObject({ name: Name });
export type CreateOrganizationBody = z.infer<typeof CreateOrganizationBody>;

export const UpdateOrganizationBody = z.strictObject({ name: Name.optional() });
export type UpdateOrganizationBody = z.infer<typeof UpdateOrganizationBody>;

export const Project = z.object({
  id: Id,
  organizationId: Id,
  name: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Project = z.infer<typeof Project>;

export const CreateProjectBody = z.strictObject({ name: Name });
export type CreateProjectBody = z.infer<typeof CreateProjectBody>;

export const UpdateProjectBody = z.strictObject({ name: Name.optional() });
export type UpdateProjectBody = z.infer<typeof UpdateProjectBody>;
