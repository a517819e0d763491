import type { SourceWithUrl } from '@/components/sources/source-context';
import type { SourceProvider } from '@/lib/incoming/schema';
import { githubSteps } from './github-steps';
import { hmacSteps, standardSteps, unsignedSteps } from './sender-steps';
import { shopifySteps } from './shopify-steps';
import { slackSteps } from './slack-steps';
import type { SetupStep } from './step-list';
import { stripeSteps } from './stripe-steps';

const STEPS: Record<SourceProvider, (source: SourceWithUrl) => SetupStep[]> = {
  GITHUB: ({ url }) => githubSteps(url),
  STRIPE: ({ url, hasSecret }) => stripeSteps(url, hasSecret),
  SHOPIFY: ({ url, hasSecret }) => shopifySteps(url, hasSecret),
  SLACK: ({ url, hasSecret }) => slackSteps(url, hasSecret),
  STANDARD_WEBHOOKS: standardSteps,
  GENERIC_HMAC: hmacSteps,
  NONE: unsignedSteps,
};

/** Returns what to do at the provider until its first event arrives. */
export function stepsOf(source: SourceWithUrl): SetupStep[] {
  return STEPS[source.provider](source);
}
