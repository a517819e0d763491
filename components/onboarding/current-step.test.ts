import { expect, it } from 'vitest';
import { currentStep, type Progress, shownDelivery, stateOf } from './current-step';

const NOTHING: Progress = {
  hasProject: false,
  hasKey: false,
  hasEvent: false,
  hasEndpoint: false,
  hasSubscription: false,
  hasSuccess: false,
};
const withProject = { ...NOTHING, hasProject: true };

it.each([
  ['project', NOTHING],
  ['key', withProject],
  ['event', { ...withProject, hasKey: true }],
  ['endpoint', { ...withProject, hasKey: true, hasEvent: true }],
  ['endpoint', { ...withProject, hasKey: true, hasEvent: true, hasEndpoint: true }],
  ['delivery', { ...withProject, hasKey: true, hasEvent: true, hasEndpoint: true, hasSubscription: true }],
  [null, { ...withProject, hasSuccess: true }],
] as const)('continues with %s for existing data', (step, progress) => {
  expect(currentStep(progress)).toBe(step);
});

it('asks for no key after an event was received, even if its key is revoked', () => {
  expect(currentStep({ ...withProject, hasEvent: true })).toBe('endpoint');
});

it('asks for a key first when an endpoint exists before any event', () => {
  expect(currentStep({ ...withProject, hasEndpoint: true, hasSubscription: true })).toBe('key');
});

it('marks earlier steps as done and following steps as later', () => {
  expect([stateOf('key', 'event'), stateOf('event', 'event'), stateOf('endpoint', 'event')]).toEqual([
    'done',
    'current',
    'later',
  ]);
  expect(stateOf('delivery', null)).toBe('done');
});

it('draws the delivery that succeeded below “is delivered”, also while a newer one is retrying', () => {
  const [succeeded, retrying] = [{ status: 'SUCCEEDED' }, { status: 'RETRYING' }];
  expect(shownDelivery(succeeded, retrying)).toBe(succeeded);
  expect(shownDelivery(undefined, retrying)).toBe(retrying);
});
