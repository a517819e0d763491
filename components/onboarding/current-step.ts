const STEPS = ['project', 'endpoint', 'event', 'delivery'] as const;
export type StepName = (typeof STEPS)[number];

/** What a project already has, for the setup guide. */
export interface Progress {
  hasProject: boolean;
  hasEvent: boolean;
  hasEndpoint: boolean;
  hasSubscription: boolean;
  hasDelivery: boolean;
  hasSuccess: boolean;
}

/**
 * Returns the next step, derived from existing data, so that the guide can be left and resumed; null when all is done. The
 * endpoint is before the event, so that no event of the guide is without a matching endpoint.
 */
export function currentStep(progress: Progress): StepName | null {
  if (progress.hasSuccess) return null;
  if (!progress.hasProject) return 'project';
  if (!progress.hasEndpoint || !progress.hasSubscription) return 'endpoint';
  return progress.hasDelivery ? 'delivery' : 'event';
}

/** Returns the delivery that the guide draws: once one has succeeded that one, since a newer one may be retrying. */
export function shownDelivery<D>(succeeded: D | undefined, newest: D | undefined): D | undefined {
  return succeeded ?? newest;
}

export type StepState = 'done' | 'current' | 'later';

export function stateOf(step: StepName, current: StepName | null): StepState {
  if (current === null) return 'done';
  const [here, now] = [STEPS.indexOf(step), STEPS.indexOf(current)];
  if (here === now) return 'current';
  return here < now ? 'done' : 'later';
}
