import * as z from 'zod';
import { field } from '@/lib/platform/field';
import { Id } from '@/lib/platform/ids';
import { CreatedAt, UpdatedAt } from '@/lib/platform/instant';
import { METADATA } from '@/lib/platform/metadata';
import { PageQuery } from '@/lib/platform/pagination';
import { Name, text } from '@/lib/platform/text';
import { CUSTOMER_UID, CUSTOMER_UID_RULE, isPathSegment, isUuid, NOT_UUID_RULE, PATH_SEGMENT_RULE } from './uid-policy';

export const CustomerUid = z
  .string()
  .regex(CUSTOMER_UID, CUSTOMER_UID_RULE)
  .refine((uid) => !isUuid(uid), NOT_UUID_RULE)
  .refine(isPathSegment, PATH_SEGMENT_RULE);

/** How requests name a customer. */
export const CustomerName = text(256);

const UID = 'Your own id of the customer, unique in the project';
const NAME = 'What people call the customer';
const EXAMPLE_UID = 'cus_8f2c1';
const EXAMPLE_NAME = 'Acme Inc.';

/** The `customer` that a request names. */
export const customerField = (description: string) => field(CustomerName.optional(), description, EXAMPLE_UID);

/** The customer that a resource belongs to. */
export const OF_CUSTOMER = {
  customerId: field(Id.nullable(), 'The customer that it belongs to; null if it belongs to the project itself', null),
  customerUid: field(z.string().nullable(), 'The uid of this customer', null),
};

/** `?customer=` of a list. One that does not exist has nothing. */
export const CUSTOMER_FILTER = customerField('Only those of the customer with this id or uid');

export const CreateCustomerBody = z.strictObject({
  uid: field(CustomerUid, UID, EXAMPLE_UID),
  name: field(Name.nullish(), NAME, EXAMPLE_NAME),
  metadata: METADATA.create,
});
export type CreateCustomerBody = z.infer<typeof CreateCustomerBody>;

export const UpdateCustomerBody = z.strictObject({
  uid: field(CustomerUid.optional(), UID, EXAMPLE_UID),
  name: field(Name.nullish(), NAME, EXAMPLE_NAME),
  metadata: METADATA.update,
});
export type UpdateCustomerBody = z.infer<typeof UpdateCustomerBody>;

export const Customer = z.object({
  id: Id,
  uid: field(z.string(), UID, EXAMPLE_UID),
  name: field(z.string().nullable(), NAME, EXAMPLE_NAME),
  metadata: METADATA.shown,
  endpointCount: field(z.int(), 'Number of its endpoints', 2),
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
});
export type Customer = z.infer<typeof Customer>;

export const ListCustomersQuery = PageQuery.extend({
  uid: field(text(256).optional(), 'Only the customer with this uid', EXAMPLE_UID),
  q: field(
    text(200).optional(),
    'Only customers whose uid, or whose name in upper or lower case, begins with this text: of each, the first 1,000 in alphabetical order',
    'acme',
  ),
});
export type ListCustomersQuery = z.infer<typeof ListCustomersQuery>;
