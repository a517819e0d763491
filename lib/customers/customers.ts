import type { ProjectCaller } from '@/lib/audit/caller';
import { changedFields } from '@/lib/audit/changed-fields';
import { auditChange } from '@/lib/audit/record-audit';
import { lockProject } from '@/lib/orgs/projects';
import { BoundedPage, onePageAtATime } from '@/lib/orgs/tenant';
import { isUniqueViolation } from '@/lib/platform/database-errors';
import { database, type Sql } from '@/lib/platform/db';
import { AppError, fieldError, notFound } from '@/lib/platform/errors';
import { isId, newId } from '@/lib/platform/ids';
import { refuseBeyondLimit } from '@/lib/platform/limits';
import { encodeCursor, type Listing } from '@/lib/platform/pagination';
import { inCamelCase, present } from '@/lib/platform/present';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { HIGHEST_ID, LOWEST_ID } from '@/lib/platform/sql/bounded-scan';
import {
  type CustomerRow,
  countCustomer,
  findCustomer,
  findCustomerName,
  lockCustomer,
  markDeleted,
  searchCustomers,
  selectCustomers,
  selectUids,
} from './customers-sql';
import {
  type CreateCustomerBody,
  Customer,
  CustomerUid,
  type ListCustomersQuery,
  type UpdateCustomerBody,
} from './schema';

/** The project of a customer, and its id or uid. */
interface CustomerPath {
  projectId: string;
  customer: string;
}

/** The id and uid of a customer. */
export interface NamedCustomer {
  id: string;
  uid: string;
}

/** Returns the parameters that find a customer by its id or uid; those of none for a text that is neither. */
export function customerNames(customer: string): { customer: string | null; uid: string | null } {
  if (isId(customer)) return { customer, uid: null };
  return { customer: null, uid: CustomerUid.safeParse(customer).success ? customer : null };
}

/** Lists the customers of a project, newest first, as a `BoundedPage`. @throws AppError rate_limited when much of the owner waits */
export function listCustomers(
  caller: ProjectCaller,
  projectId: string,
  query: ListCustomersQuery,
): Promise<Listing<Customer>> {
  return onePageAtATime(query.limit, () => readPage(caller, projectId, query));
}

async function readPage(
  caller: ProjectCaller,
  projectId: string,
  { uid, q, cursor = HIGHEST_ID, limit }: ListCustomersQuery,
): Promise<Listing<Customer>> {
  const read = { project: projectId, before: cursor, limit: limit + 1 };
  const rows =
    uid !== undefined
      ? (await findCustomer.all(database(), { project: projectId, customer: null, uid })).filter(
          (row) => row.id < cursor && (q === undefined || beginsWith(row, q)),
        )
      : q === undefined
        ? await selectCustomers.all(database(), read)
        : await searchCustomers.all(database(), { ...read, text: q });
  const page = new BoundedPage<Customer>();
  const last = await page.add(caller, projectId, rows.slice(0, limit), presentCustomer);
  return { data: page.data, nextCursor: last === undefined || last === rows.at(-1) ? null : encodeCursor(last.id) };
}

const beginsWith = ({ uid, name }: CustomerRow, text: string) =>
  uid.startsWith(text) || (name ?? '').toLowerCase().startsWith(text.toLowerCase());

function presentCustomer(row: CustomerRow): Customer {
  return present(Customer, { ...inCamelCase(row), endpointCount: row.endpoint_count ?? 0 });
}

/** Reads a customer of a project. @throws AppError not_found */
export async function getCustomer(path: CustomerPath): Promise<Customer> {
  return presentCustomer(await getRow(database(), path));
}

async function getRow(sql: Sql, { projectId, customer }: CustomerPath): Promise<CustomerRow> {
  const row = await findCustomer.first(sql, { project: projectId, ...customerNames(customer) });
  if (row === undefined) throw notFound('customer');
  return row;
}

/** Finds the customer that a body names. @throws AppError validation_failed when the project has none with this id or uid */
export async function findNamedCustomer(sql: Sql, projectId: string, customer: string): Promise<NamedCustomer> {
  const found = await findCustomerName.first(sql, { project: projectId, ...customerNames(customer) });
  if (found === undefined) throw unknownCustomer();
  return found;
}

/** The error for a body that names a customer which the project does not have. */
export function unknownCustomer(): AppError {
  return fieldError('customer', 'is not the id or uid of a customer of this project');
}

/** Replaces the customer that a filter names by its id. One that does not exist has nothing. */
export async function resolveCustomer<Filter extends { customer?: string | undefined }>(
  projectId: string,
  filter: Filter,
): Promise<Filter> {
  const { customer } = filter;
  if (customer === undefined) return filter;
  const found = await findCustomerName.first(database(), { project: projectId, ...customerNames(customer) });
  return { ...filter, customer: found?.id ?? LOWEST_ID };
}

/** Returns the uids of customers of a project by their ids. */
export async function uidsOf(
  sql: Sql,
  projectId: string,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string | null, string>> {
  const customers = [...new Set(ids.filter((id) => id !== null))];
  if (customers.length === 0) return new Map();
  const rows = await selectUids.all(sql, { project: projectId, customers });
  return new Map(rows.map(({ id, uid }) => [id, uid]));
}

/**
 * Creates a customer, unless the project has one with this uid, which stays as it is.
 * @throws AppError limit_reached; not_found when the project is deleted
 */
export async function createCustomer(
  caller: ProjectCaller,
  projectId: string,
  body: CreateCustomerBody,
): Promise<{ customer: Customer; isNew: boolean }> {
  const path = { project: projectId, ...customerNames(body.uid) };
  const known = await findCustomer.first(database(), path);
  if (known !== undefined) return { customer: presentCustomer(known), isNew: false };
  return inTransaction(async (tx) => {
    await lockProject(tx, projectId);
    const made = await findCustomer.first(tx, path);
    if (made !== undefined) return { customer: presentCustomer(made), isNew: false };
    const { count } = await countCustomer.one(tx, { project: projectId, change: 1 });
    refuseBeyondLimit('PROJECT_MAX_CUSTOMERS', count - 1);
    const row = await tx.prisma.customer.create({ data: { id: newId(), projectId, ...body } });
    await auditChange(tx, caller, 'customer.created', row.id, { projectId, targetName: nameOf(row) });
    return { customer: present(Customer, { ...row, metadata: body.metadata, endpointCount: 0 }), isNew: true };
  });
}

/** What the audit log calls a customer. */
const nameOf = ({ uid, name }: { uid: string; name: string | null }) => name ?? uid;

/** Changes the given fields of a customer. @throws AppError not_found; conflict for the uid of another customer */
export async function updateCustomer(
  caller: ProjectCaller,
  path: CustomerPath,
  body: UpdateCustomerBody,
): Promise<Customer> {
  const { projectId } = path;
  return inTransaction(async (tx) => {
    // Nobody may create one with this uid meanwhile, and the audit log tells what each of two changes at once replaced.
    await lockProject(tx, projectId);
    const before = presentCustomer(await getRow(tx, path));
    const fields = Object.keys(body);
    if (fields.length === 0) return before;
    const data = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
    const { count } = await tx.prisma.customer.updateMany({
      where: { id: before.id, projectId, deletedAt: null },
      data,
    });
    if (count === 0) throw notFound('customer');
    const after = presentCustomer(await getRow(tx, { projectId, customer: before.id }));
    const changes = changedFields(before, after, fields);
    if (changes !== null) {
      await auditChange(tx, caller, 'customer.updated', after.id, { projectId, targetName: nameOf(after), changes });
    }
    return after;
  }).catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError('conflict', 'This project already has a customer with this uid.');
  });
}

/**
 * Deletes a customer with its endpoints. Workers remove its events, their deliveries and attempts within minutes; statistics stay.
 * @throws AppError not_found
 */
export async function deleteCustomer(caller: ProjectCaller, path: CustomerPath): Promise<void> {
  const { projectId } = path;
  await inTransaction(async (tx) => {
    // Nobody may make an endpoint of it meanwhile.
    await lockProject(tx, projectId);
    const row = await getRow(tx, path);
    // The next statement sees the links to its portal that were being made.
    await lockCustomer.run(tx, { project: projectId, customer: row.id });
    await markDeleted.run(tx, { project: projectId, customer: row.id });
    await countCustomer.run(tx, { project: projectId, change: -1 });
    await auditChange(tx, caller, 'customer.deleted', row.id, { projectId, targetName: nameOf(row) });
  });
}
