import * as z from 'zod';

/** How much of a limit is used. */
const limitOn = <const Name extends string>(names: readonly [Name, ...Name[]]) =>
  z.object({
    name: z.enum(names).meta({ description: 'What is limited; `members` includes pending invitations' }),
    used: z.int().nonnegative().meta({ description: 'Current use' }),
    max: z.int().positive().meta({ description: 'The limit, set by the operator of the deployment' }),
  });

export const ProjectLimit = limitOn(['endpoints', 'subscriptions', 'sources', 'destinations', 'tunnels', 'apiKeys']);
export type ProjectLimit = z.infer<typeof ProjectLimit>;

export const ProjectLimits = z.object({
  limits: z.array(ProjectLimit).meta({ description: 'Each limit with its current use' }),
});
export type ProjectLimits = z.infer<typeof ProjectLimits>;

export const OrganizationLimit = limitOn(['projects', 'members']);
export type OrganizationLimit = z.infer<typeof OrganizationLimit>;

export const OrganizationLimits = z.object({
  limits: z.array(OrganizationLimit).meta({ description: 'Each limit with its current use' }),
});
export type OrganizationLimits = z.infer<typeof OrganizationLimits>;
