import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { TenancyRoute } from '@/tests/tenancy-routes';
import { everyKindOfFault } from './every-kind';
import { type Twist, twistBody } from './hostile-bodies';
import { twistCredentials, twistHeaders, twistMediaType } from './hostile-headers';
import { twistPath, twistQuery, twistVerb } from './hostile-targets';
import type { Plan } from './plan';
import { validRequest } from './valid-request';

/**
 * Plans `count` requests to a route: a valid one, then every kind of fault in every place, then others by chance, of which one
 * in twelve is valid and each further one has one to three faults. The same seed gives the same, whatever other routes there are.
 */
export function planRequests(route: TenancyRoute, { seed, count }: { seed: number; count: number }): Plan[] {
  const valid = validRequest(route);
  const twists = fc.array(twistOf(route), { minLength: 1, maxLength: 3 });
  const twisted = fc
    .tuple(valid, twists)
    .map(([plan, chosen]) => chosen.reduce((result, twist) => twist(result), plan));
  const any = fc.oneof({ weight: 1, arbitrary: valid }, { weight: 11, arbitrary: twisted });
  const routeSeed = seed ^ createHash('sha256').update(route.name).digest().readInt32BE();
  const [first] = fc.sample(valid, { seed: routeSeed, numRuns: 1 });
  const planned = first === undefined ? [] : [first, ...everyKindOfFault(route, first)];
  const drawn = fc.sample(any, { seed: routeSeed, numRuns: Math.max(1, count - planned.length) });
  return [...planned, ...drawn].slice(0, count);
}

/** A fault where the route has something to be at fault most often. */
function twistOf({ path, definition }: TenancyRoute): fc.Arbitrary<Twist> {
  const has = (part: unknown) => part !== undefined;
  return fc.oneof(
    { weight: has(definition.body) ? 12 : 2, arbitrary: twistBody },
    { weight: has(definition.query) ? 10 : 2, arbitrary: twistQuery },
    { weight: path.includes('{') ? 4 : 1, arbitrary: twistPath },
    { weight: 4, arbitrary: twistHeaders },
    { weight: 3, arbitrary: twistCredentials },
    { weight: has(definition.body) ? 2 : 1, arbitrary: twistMediaType },
    { weight: 1, arbitrary: twistVerb },
  );
}
