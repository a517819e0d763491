import { describe, expect, it } from 'vitest';
import { FairGate, GateFullError } from './fair-gate';

const never = new AbortController().signal;

/** Requests a place and records when it is granted. */
function ask(gate: FairGate, tenant: string, granted: string[], signal: AbortSignal = never) {
  return gate.enter(tenant, signal).then((leave) => {
    granted.push(tenant);
    return leave;
  });
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a gate', () => {
  it('admits as many jobs as its width, and the next one when one leaves', async () => {
    const gate = new FairGate({ width: 2, widthPerTenant: 2, waiting: 5, waitingPerTenant: 5 });
    const granted: string[] = [];
    const [first] = await Promise.all([ask(gate, 'a', granted), ask(gate, 'a', granted)]);
    void ask(gate, 'a', granted);
    await settled();
    expect(granted).toHaveLength(2);
    first?.();
    await settled();
    expect(granted).toHaveLength(3);
  });

  it('keeps places for others when one tenant has used its share', async () => {
    const gate = new FairGate({ width: 3, widthPerTenant: 1, waiting: 5, waitingPerTenant: 5 });
    const granted: string[] = [];
    for (const tenant of ['a', 'a', 'b', 'b']) void ask(gate, tenant, granted);
    await settled();
    expect(granted).toEqual(['a', 'b']);
  });

  it('serves waiting tenants in turn, however many of one are waiting', async () => {
    const gate = new FairGate({ width: 1, widthPerTenant: 1, waiting: 50, waitingPerTenant: 50 });
    const order: string[] = [];
    const all = ['a', 'a', 'a', 'b', 'b', 'c'].map(async (tenant) => (await ask(gate, tenant, order))());
    await Promise.all(all);
    expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
  });

  it('refuses at once when too many jobs wait, of one tenant or in total', async () => {
    const gate = new FairGate({ width: 1, widthPerTenant: 1, waiting: 3, waitingPerTenant: 2 });
    const granted: string[] = [];
    for (const tenant of ['a', 'a', 'a']) void ask(gate, tenant, granted);
    await expect(gate.enter('a', never)).rejects.toThrow(GateFullError);
    void ask(gate, 'b', granted);
    await expect(gate.enter('c', never)).rejects.toThrow(GateFullError);
    expect(gate.waiting).toBe(3);
  });

  it('removes a waiter that aborts, and admits the next one', async () => {
    const gate = new FairGate({ width: 1, widthPerTenant: 1, waiting: 2, waitingPerTenant: 1 });
    const granted: string[] = [];
    const leave = await ask(gate, 'a', granted);
    const impatient = new AbortController();
    const abandoned = gate.enter('b', impatient.signal);
    impatient.abort(new Error('gone'));
    await expect(abandoned).rejects.toThrow('gone');
    expect(gate.waiting).toBe(0);
    void ask(gate, 'b', granted);
    leave();
    await settled();
    expect(granted).toEqual(['a', 'b']);
  });

  it('remembers no tenant that has left', async () => {
    const gate = new FairGate({ width: 2, widthPerTenant: 1, waiting: 9, waitingPerTenant: 9 });
    const tenants = ['a', 'a', 'b', 'c', 'd'];
    await Promise.all(tenants.map(async (tenant) => (await gate.enter(tenant, never))()));
    expect({ waiting: gate.waiting, tenants: gate.tenants }).toEqual({ waiting: 0, tenants: 0 });
  });
});
