import fc from 'fast-check';
import { hostileJson, hostileName, words } from './hostile-values';
import type { Body, Framing, Plan } from './plan';

/** A change to a planned request. */
export type Mutation = (plan: Plan) => Plan;

const JSON_TYPE: [string, string] = ['Content-Type', 'application/json'];
const fieldsOf = ({ body }: Plan): [string, string][] => (body.kind === 'fields' ? body.fields : []);
const textOf = ({ body }: Plan): string =>
  body.kind === 'text'
    ? body.text
    : `{${fieldsOf({ body } as Plan)
        .map(([name, json]) => `"${name}":${json}`)
        .join(',')}}`;

function withBody(plan: Plan, body: Body): Plan {
  const isNamed = plan.headers.some(([name]) => name.toLowerCase() === 'content-type');
  return { ...plan, body, headers: isNamed ? plan.headers : [...plan.headers, JSON_TYPE] };
}

const withFields = (plan: Plan, fields: [string, string][]) => withBody(plan, { kind: 'fields', fields });
const withText = (plan: Plan, text: string, encoding: 'utf8' | 'latin1' | 'utf16le' = 'utf8') =>
  withBody(plan, { kind: 'text', text, encoding });

/** Picks a field of the plan by a random number, which is drawn before the number of fields is known. */
const atField = (plan: Plan, draw: number) => (fieldsOf(plan).length === 0 ? -1 : draw % fieldsOf(plan).length);

const replaceField: fc.Arbitrary<Mutation> = fc.tuple(fc.nat(99), hostileJson).map(([draw, json]) => (plan) => {
  const index = atField(plan, draw);
  const fields = fieldsOf(plan).map(([name, old], at): [string, string] => [name, at === index ? json : old]);
  return withFields(plan, index === -1 ? [['x', json]] : fields);
});

const dropField: fc.Arbitrary<Mutation> = fc.nat(99).map((draw) => (plan) => {
  const index = atField(plan, draw);
  return withFields(
    plan,
    fieldsOf(plan).filter((_, at) => at !== index),
  );
});

const addField: fc.Arbitrary<Mutation> = fc.tuple(hostileName, hostileJson).map(
  ([name, json]) =>
    (plan) =>
      withFields(plan, [...fieldsOf(plan), [name, json]]),
);

const repeatField: fc.Arbitrary<Mutation> = fc.tuple(fc.nat(99), hostileJson).map(([draw, json]) => (plan) => {
  const [name] = fieldsOf(plan)[atField(plan, draw)] ?? ['x'];
  return withFields(plan, [...fieldsOf(plan), [name, json]]);
});

const addManyFields: fc.Arbitrary<Mutation> = fc.constantFrom(60, 2_000).map((count) => (plan) => {
  const surplus = Array.from({ length: count }, (_, index): [string, string] => [`surplus${index}`, '1']);
  return withFields(plan, [...fieldsOf(plan), ...surplus]);
});

const replaceAll: fc.Arbitrary<Mutation> = hostileJson.map((json) => (plan) => withText(plan, json));

const WRONG_TEXTS = ['', ' ', '{}\0', '// {}', ...words(`{ } [ " {"a": {"a":1,} {a:1} {'a':1} nul NaN 01 {}{}`)];
const breakText: fc.Arbitrary<Mutation> = fc.oneof(
  fc.constantFrom(...WRONG_TEXTS).map<Mutation>((text) => (plan) => withText(plan, text)),
  fc.nat(40).map<Mutation>((cut) => (plan) => withText(plan, textOf(plan).slice(0, -1 - cut))),
  fc.constant<Mutation>((plan) => withText(plan, `\ufeff${textOf(plan)}`)),
  fc.constant<Mutation>((plan) => withText(plan, textOf(plan), 'utf16le')),
  fc.constant<Mutation>((plan) => withText(plan, `a=1&b=${encodeURIComponent(textOf(plan).toWellFormed())}`)),
  fc.constantFrom('\xff', '\xc0\xaf', '\xed\xa0\x80', '\xf8\x88\x80\x80\x80', '\xe2\x82', '\0').map(
    (bytes): Mutation =>
      (plan) =>
        withText(plan, textOf(plan).replace(/"(?=[^"]*$)/, `${bytes}"`), 'latin1'),
  ),
);

/** Just below and above the limits for callers without and with a credential. */
const SIZES = [65_000, 66_000, 300_000, 1_048_000, 1_100_000];
const grow: fc.Arbitrary<Mutation> = fc
  .tuple(fc.constantFrom(...SIZES), fc.boolean())
  .map(([size, isField]) => (plan) => {
    const padding = `"${'y'.repeat(Math.max(0, size - textOf(plan).length))}"`;
    return isField
      ? withFields(plan, [...fieldsOf(plan), ['padding', padding]])
      : withText(plan, textOf(plan).padEnd(size));
  });

const FRAMINGS: Framing[] = ['chunks', 'chunks', 'coded chunks', 'broken chunks', 'short', 'long', 'both', 'none'];
const reframe: fc.Arbitrary<Mutation> = fc.constantFrom(...FRAMINGS).map((framing) => (plan) => ({ ...plan, framing }));

/** Mutates a body: its fields, types, text, size, or framing. */
export const mutateBody: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 10, arbitrary: replaceField },
  { weight: 2, arbitrary: dropField },
  { weight: 3, arbitrary: addField },
  { weight: 2, arbitrary: repeatField },
  { weight: 1, arbitrary: addManyFields },
  { weight: 3, arbitrary: replaceAll },
  { weight: 4, arbitrary: breakText },
  { weight: 1, arbitrary: grow },
  { weight: 2, arbitrary: reframe },
);
