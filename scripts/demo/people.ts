/** The domain of the demo's people. The top-level domain is reserved for examples (RFC 2606), so no mail reaches anyone. */
export const DEMO_DOMAIN = 'northwind.example';

/** People who have not answered their invitation. */
export const KATHERINE = `katherine@${DEMO_DOMAIN}`;
export const DOROTHY = `dorothy@${DEMO_DOMAIN}`;

/** The addresses that people sign in from, of a range for documentation (RFC 5737). */
export const ADDRESS_OF_ADA = '203.0.113.24';
