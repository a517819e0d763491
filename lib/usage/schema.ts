import * as z from 'zod';

/** How much of a limit is used. */
const limitOn = <const Name extends string>(names: readonly [Name, ...Name[]]) =>
  z.object({ name: z.enum(names), used: z.int().nonnegative(), max: z.int().positive() });

export const ProjectLimit = limitOn(['endpoints', 'subscriptions', 'sources', 'destinations', 'tunnels', 'apiKeys']);
export type ProjectLimit = z.infer<typeof ProjectLimit>;

export const ProjectLimits = z.object({ limits: z.array(ProjectLimit) });
export type ProjectLimits = z.infer<typeof ProjectLimits>;

export const OrganizationLimit = limitOn(['projects', 'members']);
export type OrganizationLimit = z.infer<typeof OrganizationLimit>;

export const OrganizationLimits = z.object({ limits: z.array(OrganizationLimit) });
export type OrganizationLimits = z.infer<typeof OrganizationLimits>;
