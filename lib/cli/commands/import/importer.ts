import { CliError } from '@/lib/cli/cli-error';
import type { Context } from '@/lib/cli/context';
import { type EventDeliveryClient, isApiError } from '@/lib/client';
import type { Customer } from '@/lib/customers/schema';
import type { Endpoint, EndpointListItem } from '@/lib/delivery/schema';
import { customerDifferences, endpointDifferences } from './compare';
import { prefixedUidOf } from './fields';
import { ForeignFault } from './foreign-server';
import type { EndpointFields, Group, PlannedCustomer, PlannedEndpoint } from './plan';
import { emptyRow, type Row, refused, skip } from './report';
import { labelOf } from './values';

const CREATED = 201;
const PAGE = 100;
/** What the rows of an import may take, in characters, and what each takes besides its notes. */
const MAX_REPORT_CHARS = 128 * 1024 * 1024;
const ROW_CHARS = 512;

/** What came of a group, and why the rest cannot be tried. */
export interface Outcome {
  rows: Row[];
  fault?: unknown;
}

interface Created {
  /** Another endpoint of the project has the uid. */
  isTaken?: true;
  made?: Endpoint;
  found?: EndpointListItem;
}

/**
 * Makes customers and endpoints through the API of the project. What exists stays as it is, and what differs is named, so a run that
 * was stopped is continued by the next, and two at once make nothing twice.
 */
export class Importer {
  readonly #client: EventDeliveryClient;
  /** The customers of this run: their ids there by their uids here. */
  readonly #customers = new Map<string, string>();
  /** The uids of endpoints that a dry run would make. */
  readonly #planned = new Set<string>();
  #reportChars = 0;

  constructor(
    private readonly context: Context,
    private readonly service: string,
    private readonly isDryRun: boolean,
  ) {
    this.#client = context.client;
  }

  async takeOver({ customer, endpoints }: Group): Promise<Outcome> {
    const rows: Row[] = [];
    let owner: Row | null = null;
    try {
      if (customer !== null) {
        owner = await this.#takeCustomer(customer);
        rows.push(owner);
        this.#count(owner);
        if (owner.result === 'skipped') return { rows };
      }
      const used = new Set<string>();
      // Of a new customer, there are none.
      const here = owner?.result === 'made' ? [] : await this.#endpointsOf(owner);
      for await (const endpoint of endpoints()) {
        const row = await this.#takeEndpoint(endpoint, owner, used, here);
        rows.push(row);
        this.#count(row);
      }
    } catch (fault) {
      if (!(fault instanceof ForeignFault) || fault.isFatal || owner === null) return { rows, fault };
      owner.notes.push({ text: `its endpoints could not all be read: ${fault.message}`, isLoss: true });
    }
    return { rows };
  }

  /** @throws CliError when the rows of this run take too much memory: a server may have items without end */
  #count(row: Row): void {
    this.#reportChars += row.notes.reduce((chars, { text }) => chars + text.length, ROW_CHARS);
    if (this.#reportChars <= MAX_REPORT_CHARS) return;
    const next = 'Take over a part at a time with --only.';
    throw new CliError(`${this.service} has more than one import can report.`, 'source_too_large', { next });
  }

  async #takeCustomer(planned: PlannedCustomer): Promise<Row> {
    const { from, uid, name, metadata, notes } = planned;
    const row = emptyRow('customer', from, uid, notes.all);
    if (uid === null) return row;
    const other = this.#customers.get(uid);
    if (other !== undefined) return skip(row, `${other} has the same uid`);
    this.#customers.set(uid, from);
    try {
      const [customer, isNew] = this.isDryRun
        ? [await this.#findCustomer(uid), false]
        : await this.#createCustomer({ uid, name, metadata });
      if (customer === null || isNew) return { ...row, id: customer?.id ?? null, result: 'made' };
      const differs = customerDifferences(planned, customer);
      return { ...row, id: customer.id, result: differs.length === 0 ? 'unchanged' : 'differs', differs };
    } catch (error) {
      return refused(row, error);
    }
  }

  async #findCustomer(uid: string): Promise<Customer | null> {
    return (await this.#client.customers.list({ uid, limit: 1 })).data[0] ?? null;
  }

  async #createCustomer(body: { uid: string; name: string | null; metadata: Record<string, string> }) {
    let status = 0;
    const client = this.context.clientThatReports((response) => {
      status = response.status;
    });
    return [await client.customers.create(body), status === CREATED] as const;
  }

  async #endpointsOf(owner: Row | null): Promise<EndpointListItem[]> {
    // Those of the project itself are found one by one: nothing lists them without those of customers.
    if (owner === null || owner.uid === null) return [];
    const found: EndpointListItem[] = [];
    for await (const each of this.#client.endpoints.list({ customer: owner.uid, limit: PAGE })) found.push(each);
    return found;
  }

  async #takeEndpoint(
    planned: PlannedEndpoint,
    owner: Row | null,
    used: Set<string>,
    here: readonly EndpointListItem[],
  ): Promise<Row> {
    const { from, uid, fields, isDisabled, notes } = planned;
    const customer = owner?.uid ?? null;
    const row: Row = { ...emptyRow('endpoint', from, uid || null, notes.all), customer, isDisabled };
    if (isDisabled) notes.warn(`it is disabled at ${this.service}: leave it paused`);
    if (fields === null) {
      nameHidden(planned, {});
      return row;
    }
    if (used.has(uid)) return skip(row, 'another endpoint of this customer has the same uid');
    used.add(uid);
    try {
      const prefixed = owner?.uid ? prefixedUidOf(owner.uid, uid) : null;
      const candidates = [prefixed, uid].filter((each) => each !== null);
      for (const candidate of candidates) {
        const found = here.find((each) => each.uid === candidate);
        if (found !== undefined) return await this.#compare({ ...row, uid: candidate }, planned, fields, found);
      }
      return await this.#create(row, planned, fields, owner, [uid, ...(prefixed === null ? [] : [prefixed])]);
    } catch (error) {
      return refused(row, error);
    }
  }

  /** Creates an endpoint with the first of the uids that no other one has. */
  async #create(
    row: Row,
    planned: PlannedEndpoint,
    fields: EndpointFields,
    owner: Row | null,
    uids: readonly string[],
  ): Promise<Row> {
    for (const uid of uids) {
      const { isTaken, made, found } = await this.#createAs(uid, planned, fields, owner);
      if (isTaken) continue;
      if (found !== undefined) return await this.#compare({ ...row, uid }, planned, fields, found);
      nameHidden(planned, {});
      return { ...row, uid, id: made?.id ?? null, result: 'made' };
    }
    return skip(row, `the uid ${uids.join(' and ')} belongs to another endpoint of the project`);
  }

  /** Creates an endpoint, or finds the one of the same customer that has the uid. In a dry run it creates nothing. */
  async #createAs(uid: string, planned: PlannedEndpoint, fields: EndpointFields, owner: Row | null): Promise<Created> {
    const customer = owner?.uid ?? null;
    if (!this.isDryRun) {
      const named = { uid, enabled: false, ...(customer !== null && { customer }) };
      try {
        const made = await this.#client.endpoints.create({ ...fields, ...named, bodyFormat: 'DATA' });
        if (planned.isDisabled) await this.#sayThatItIsDisabled(made.id);
        return { made };
      } catch (error) {
        // Another run was faster, or another customer has the uid.
        if (!isApiError(error, 'conflict')) throw error;
      }
    }
    const [found] = (await this.#client.endpoints.list({ uid, limit: 1 })).data;
    if (found !== undefined) return found.customerUid === customer ? { found } : { isTaken: true };
    // In a dry run, another customer would have got it before.
    if (this.#planned.has(uid)) return { isTaken: true };
    this.#planned.add(uid);
    return {};
  }

  async #sayThatItIsDisabled(id: string): Promise<void> {
    await this.#client.endpoints.update(id, { enabled: false, pauseReason: `Disabled at ${this.service}` });
  }

  async #compare(row: Row, planned: PlannedEndpoint, fields: EndpointFields, here: EndpointListItem): Promise<Row> {
    nameHidden(planned, here.headers);
    const { id, eventTypes, eventTypeCount } = here;
    // A run may end between the two calls.
    if (planned.isDisabled && !this.isDryRun && !here.enabled && here.pauseReason === null) {
      await this.#sayThatItIsDisabled(id);
    }
    const secret = await this.#client.endpoints.getSecret(id).catch((error: unknown) => {
      if (!isApiError(error) || error.status !== 403) throw error;
      planned.notes.warn('its secret here is not compared: you may not read it');
      return null;
    });
    // A list has the first of them only.
    const types = eventTypes.length < eventTypeCount ? await this.#eventTypesOf(id) : eventTypes;
    const present = { endpoint: here, eventTypes: types, secret: secret?.secret ?? null };
    const differs = endpointDifferences(fields, present, planned.hiddenHeaders);
    return { ...row, id, result: differs.length === 0 ? 'unchanged' : 'differs', differs };
  }

  async #eventTypesOf(endpointId: string): Promise<string[]> {
    const types: string[] = [];
    for await (const { eventType, enabled } of this.#client.subscriptions.list({ endpointId, limit: PAGE })) {
      if (enabled) types.push(eventType);
    }
    return types;
  }
}

/** Names the headers that the other service hides, and that nobody has added here. */
function nameHidden({ hiddenHeaders, notes }: PlannedEndpoint, headers: Readonly<Record<string, string>>): void {
  const here = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  for (const name of hiddenHeaders) {
    if (here.has(name.toLowerCase())) continue;
    notes.lose(`the value of its header ${labelOf(name)} is hidden there: add it by hand`);
  }
}
