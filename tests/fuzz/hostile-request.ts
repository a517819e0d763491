import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { TenancyRoute } from '@/tests/tenancy/routes';
import { everyFault } from './every-fault';
import { type Mutation, mutateBody } from './hostile-bodies';
import { mutateCredentials, mutateHeaders, mutateMediaType } from './hostile-headers';
import { mutatePath, mutateQuery, mutateVerb } from './hostile-targets';
import type { Plan } from './plan';
import { validRequest } from './valid-request';

/**
 * Plans `count` requests to a route: a valid one, then every kind of fault in every place, then random ones. Of the
 * random ones one in twelve is valid; the others have one to three faults. The same seed plans the same requests,
 * whatever other routes exist.
 */
export function planRequests(route: TenancyRoute, { seed, count }: { seed: number; count: number }): Plan[] {
  const valid = validRequest(route);
  const mutations = fc.array(mutationOf(route), { minLength: 1, maxLength: 3 });
  const mutated = fc
    .tuple(valid, mutations)
    .map(([plan, chosen]) => chosen.reduce((result, mutate) => mutate(result), plan));
  const any = fc.oneof({ weight: 1, arbitrary: valid }, { weight: 11, arbitrary: mutated });
  const routeSeed = seed ^ createHash('sha256').update(route.name).digest().readInt32BE();
  const [first] = fc.sample(valid, { seed: routeSeed, numRuns: 1 });
  const planned = first === undefined ? [] : [first, ...everyFault(route, first)];
  const drawn = fc.sample(any, { seed: routeSeed, numRuns: Math.max(1, count - planned.length) });
  return [...planned, ...drawn].slice(0, count);
}

/** Mutates most often the parts that the route has. */
function mutationOf({ path, definition }: TenancyRoute): fc.Arbitrary<Mutation> {
  const has = (part: unknown) => part !== undefined;
  return fc.oneof(
    { weight: has(definition.body) ? 12 : 2, arbitrary: mutateBody },
    { weight: has(definition.query) ? 10 : 2, arbitrary: mutateQuery },
    { weight: path.includes('{') ? 4 : 1, arbitrary: mutatePath },
    { weight: 4, arbitrary: mutateHeaders },
    { weight: 3, arbitrary: mutateCredentials },
    { weight: has(definition.body) ? 2 : 1, arbitrary: mutateMediaType },
    { weight: 1, arbitrary: mutateVerb },
  );
}
