const STEPS = ['project', 'key', 'event', 'endpoint', 'delivery'] as const;
export type StepName = (typeof STEPS)[number];

/** What there is of a project, as far as the first steps ask. */
export interface Progress {
  hasProject: boolean;
  hasKey: boolean;
  hasEvent: boolean;
  hasEndpoint: boolean;
  hasSubscription: boolean;
  hasSuccess: boolean;
}

/**
 * The step to do next, read off what exists, so that it can be left and taken up again anywhere; null when all is done.
 * What lies behind something that exists counts as done: an event proves a key, a success proves the rest.
 */
export function currentStep(progress: Progress): StepName | null {
  if (progress.hasSuccess) return null;
  if (!progress.hasProject) return 'project';
  if (!progress.hasEvent) return progress.hasKey ? 'event' : 'key';
  return progress.hasEndpoint && progress.hasSubscription ? 'delivery' : 'endpoint';
}

export type StepState = 'done' | 'current' | 'later';

export function stateOf(step: StepName, current: StepName | null): StepState {
  if (current === null) return 'done';
  const [here, now] = [STEPS.indexOf(step), STEPS.indexOf(current)];
  if (here === now) return 'current';
  return here < now ? 'done' : 'later';
}
