const STEPS = ['project', 'key', 'event', 'endpoint', 'delivery'] as const;
export type StepName = (typeof STEPS)[number];

/** What a project already has, for the setup guide. */
export interface Progress {
  hasProject: boolean;
  hasKey: boolean;
  hasEvent: boolean;
  hasEndpoint: boolean;
  hasSubscription: boolean;
  hasSuccess: boolean;
}

/**
 * Returns the next step, derived from existing data, so that the guide can be left and resumed; null when all is done.
 * Later data proves earlier steps: an event proves a key, a successful delivery proves everything.
 */
export function currentStep(progress: Progress): StepName | null {
  if (progress.hasSuccess) return null;
  if (!progress.hasProject) return 'project';
  if (!progress.hasEvent) return progress.hasKey ? 'event' : 'key';
  return progress.hasEndpoint && progress.hasSubscription ? 'delivery' : 'endpoint';
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
