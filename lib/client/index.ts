// The names that the package exports.
export { EventDeliveryClient } from './client';
export { ApiError, type ApiErrorCode, type ApiErrorFields, isApiError, NetworkError, TimeoutError } from './errors';
export type { ListRequest, Page } from './list-request';
export type { CallOptions, ClientOptions, ProjectOptions, SendOptions } from './options';
export type { Health, NewEvent, Readiness } from './own-types';
export { type ReceivedHeaders, SignatureError, type VerifiedWebhook, verifySignature } from './verify-signature';
