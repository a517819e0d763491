export const CUSTOMER_UID = /^[A-Za-z0-9_.:@+-]{1,256}$/;
export const CUSTOMER_UID_RULE = 'must be 1 to 256 letters, digits, and characters of _.:@+-';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Whether a uid would name the customer with this id. */
export const isUuid = (uid: string) => UUID.test(uid);
export const NOT_UUID_RULE = 'must not be a UUID, which would name the customer with this id';

/** Whether a URL can contain a uid as a segment of its path. */
export const isPathSegment = (uid: string) => uid !== '.' && uid !== '..';
export const PATH_SEGMENT_RULE = 'must not be . or .., which a URL cannot contain';

/** Whether a customer can have this uid. */
export const isCustomerUid = (uid: string) => CUSTOMER_UID.test(uid) && !isUuid(uid) && isPathSegment(uid);
