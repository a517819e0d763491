// The names that the package exports.
export { EventDeliveryClient } from './client';
export { ApiError, type ApiErrorCode, type ApiErrorFields, isApiError, NetworkError, TimeoutError } from './errors';
export type { ListRequest, Page } from './list-request';
export type { CallOptions, ClientOptions, ProjectOptions, SendOptions } from './options';
export type { Health, Readiness } from './resources/admin';
export type { NewEvent } from './resources/events';
export { type ReceivedHeaders, SignatureError, type VerifiedWebhook, verifySignature } from './verify-signature';
