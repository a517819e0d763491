import { describe, expect, it } from 'vitest';
import { changed } from '@/components/form/changed';
import { sendSamples } from '@/components/keys/samples';
import { customerDeletion } from './customer-deletion';
import { customerBodyOf } from './customer-form';
import { suggestCustomers } from './suggest-customers';

const named = (uid: string, name: string | null = null) => ({ uid, name });

describe('the suggested customers', () => {
  const found = [named('acme', 'Acme Inc.'), named('cus_1', 'Acme Ltd.'), named('acme-eu'), named('globex')];
  const uidsFor = (text: string) => suggestCustomers(found, text).map(({ value }) => value);

  it('are those whose ID or name begins with the text, in upper or lower case', () => {
    expect(uidsFor('')).toEqual(['acme', 'cus_1', 'acme-eu', 'globex']);
    expect(uidsFor('ACME')).toEqual(['acme', 'cus_1', 'acme-eu']);
    expect(uidsFor('inc')).toEqual([]);
  });

  it('leave out the one that is typed completely, and say the name of the others', () => {
    expect(suggestCustomers(found, 'acme')).toEqual([{ value: 'cus_1', hint: 'Acme Ltd.' }, { value: 'acme-eu' }]);
  });

  it('are few enough to see at once', () => {
    const many = Array.from({ length: 50 }, (_, n) => named(`acme-${n}`));
    expect(suggestCustomers(many, 'a')).toHaveLength(8);
  });
});

it('the form of a customer sends only what the person changed', () => {
  const shown = { uid: 'acme', name: 'Acme Inc.', metadata: '{"plan": "free"}' };
  const changeOf = (edits: Partial<typeof shown>) =>
    changed(customerBodyOf({ ...shown, ...edits }), customerBodyOf(shown));
  expect(changeOf({ name: ' ' })).toEqual({ name: null });
  expect(changeOf({ metadata: '{ "plan": "free" }' })).toEqual({});
  expect(changeOf({ metadata: '' })).toEqual({ metadata: {} });
});

describe('the confirmation of a deletion', () => {
  const deletion = (endpointCount: number, name: string | null = null) =>
    customerDeletion({ uid: 'acme', name, endpointCount });

  it('says what goes with the customer, and asks for the ID of one with endpoints', () => {
    expect(deletion(0).description).toMatch(/^It has no endpoint\. Its events, deliveries and attempts are removed/);
    expect(deletion(1).description).toMatch(/^Its endpoint is deleted now/);
    expect(deletion(1200).description).toMatch(/^Its 1,200 endpoints are deleted now/);
    expect([deletion(0).typeToConfirm, deletion(1).typeToConfirm]).toEqual([undefined, 'acme']);
  });

  it('names the customer, by its ID without a name', () => {
    expect(deletion(0, 'Acme Inc.').title).toBe('Delete Acme Inc.?');
    expect(deletion(0).title).toBe('Delete acme?');
  });
});

describe('the samples that send an event', () => {
  const codes = (customer?: string) => sendSamples('https://a.example', 'eds_x', 'ping', customer);

  it('name its customer, each in its language', () => {
    const [curl, node, python, eds] = codes('acme').map(({ code }) => code);
    expect(curl).toContain('{"type": "ping", "customer": "acme", "data": {');
    expect(node).toContain("    type: 'ping',\n    customer: 'acme',\n    data:");
    expect(python).toContain("        'type': 'ping',\n        'customer': 'acme',\n        'data':");
    expect(eds).toMatch(/eds send ping -d '.*' --customer acme$/);
  });

  it('name none for an event without a customer', () => {
    for (const { code } of codes()) expect(code).not.toContain('customer');
  });
});
