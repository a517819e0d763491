import type { SourceProvider } from '@/lib/incoming/schema';

/** A text, the URL to copy, our secret to copy, a form for the provider's secret, or an example of the signature. */
export type StepPart =
  | string
  | { kind: 'url' | 'ourSecret'; label: string }
  | { kind: 'theirSecret'; label: string; placeholder: string }
  | { kind: 'example' };

interface SetupStep {
  title: string;
  /** Whether the step is done once the source has its secret. */
  asksForSecret?: boolean;
  parts: StepPart[];
}

/** The first step for a sender that takes our secret. */
const ADD_TO_SENDER: SetupStep = {
  title: 'Add the URL and secret to the sender',
  parts: [
    { kind: 'url', label: 'URL' },
    { kind: 'ourSecret', label: 'Signing secret' },
    'If the sender generates its own secret, replace ours under **Signing secret** below.',
  ],
};

/** What to do at each provider until its first event arrives. */
export const SETUP_STEPS: Record<SourceProvider, SetupStep[]> = {
  // GitHub takes the URL and our secret in one form.
  GITHUB: [
    {
      title: 'Open your repository or organization’s webhook settings',
      parts: ['On GitHub, open **Settings → Webhooks** and click **Add webhook**.'],
    },
    {
      title: 'Paste the URL and the secret',
      parts: [
        { kind: 'url', label: 'Payload URL' },
        { kind: 'ourSecret', label: 'Secret' },
        'Set **Content type** to **application/json**, and leave **SSL verification** enabled.',
      ],
    },
    {
      title: 'Choose events and save',
      parts: [
        'Select the events you want, keep **Active** checked, and click **Add webhook**. GitHub sends a ping right away.',
      ],
    },
  ],
  // Stripe shows its secret after it knows the URL.
  STRIPE: [
    {
      title: 'Add a destination in Stripe',
      parts: [
        'In the [Stripe dashboard](https://dashboard.stripe.com/webhooks), open **Developers → Webhooks** and click **Add destination**. Select the events you want, then click **Continue**.',
      ],
    },
    {
      title: 'Paste the URL',
      parts: [
        'Choose **Webhook endpoint**, paste this URL, and click **Create destination**.',
        { kind: 'url', label: 'Endpoint URL' },
      ],
    },
    {
      title: 'Paste the signing secret here',
      asksForSecret: true,
      parts: [
        'On the new destination’s page, reveal the **Signing secret** and copy it. It starts with whsec_.',
        { kind: 'theirSecret', label: 'Signing secret from Stripe', placeholder: 'whsec_…' },
      ],
    },
    {
      title: 'Send a test event',
      parts: [
        'In a sandbox, run `stripe trigger payment_intent.succeeded` with the Stripe CLI, or make a test payment.',
      ],
    },
  ],
  // Shopify signs the webhooks of a store with one secret, which it shows below their list.
  SHOPIFY: [
    {
      title: 'Create a webhook in your store',
      parts: ['In the Shopify admin, open **Settings → Notifications → Webhooks** and click **Create webhook**.'],
    },
    {
      title: 'Paste the URL',
      parts: [
        { kind: 'url', label: 'URL' },
        'Choose the **Event**, set **Format** to **JSON**, and click **Save**. Create one webhook per event. They can all use this URL.',
      ],
    },
    {
      title: 'Paste the signing secret here',
      asksForSecret: true,
      parts: [
        'Shopify shows the signing secret below the list of webhooks. For an app’s webhooks, use the app’s **Client secret**.',
        { kind: 'theirSecret', label: 'Signing secret from Shopify', placeholder: '64 characters' },
      ],
    },
    {
      title: 'Send a test notification',
      parts: ['In the list of webhooks, open the new webhook’s menu and click **Send test notification**.'],
    },
  ],
  // Slack verifies the URL with a signed request, so its secret comes first.
  SLACK: [
    {
      title: 'Paste the signing secret here first',
      asksForSecret: true,
      parts: [
        'Open your app at [api.slack.com/apps](https://api.slack.com/apps). Under **Basic Information → App Credentials**, show the **Signing Secret** and copy it. In the next step, Slack verifies the URL with a request signed with this secret.',
        { kind: 'theirSecret', label: 'Signing secret from Slack', placeholder: '32 hexadecimal digits' },
      ],
    },
    {
      title: 'Paste the URL',
      parts: [
        'Open **Event Subscriptions**, turn on **Enable Events**, and paste this URL. Slack shows **Verified** next to it.',
        { kind: 'url', label: 'Request URL' },
      ],
    },
    {
      title: 'Choose events and save',
      parts: [
        'Under **Subscribe to bot events**, add events such as app_mention, and click **Save Changes**. If Slack asks you to reinstall the app, do so. Then mention it in a channel.',
      ],
    },
  ],
  STANDARD_WEBHOOKS: [
    ADD_TO_SENDER,
    {
      title: 'Send an event',
      parts: [
        'Requests include the webhook-id, webhook-timestamp and webhook-signature headers defined by [Standard Webhooks](https://www.standardwebhooks.com). Timestamps can be off by up to five minutes.',
      ],
    },
  ],
  GENERIC_HMAC: [
    ADD_TO_SENDER,
    {
      title: 'Sign each request',
      parts: [
        'The signature is the HMAC-SHA-256 of the raw body, keyed with the secret. To change its header, encoding or prefix, click **Edit**.',
        { kind: 'example' },
      ],
    },
  ],
  NONE: [
    {
      title: 'Add the URL to the sender',
      parts: [
        { kind: 'url', label: 'URL' },
        'Keep it secret: anyone with the URL can send events. If it leaks, rotate it.',
      ],
    },
    {
      title: 'Send an event',
      parts: [
        'Send any POST request with a body of up to 512 KiB. We store the body byte for byte, along with its headers.',
      ],
    },
  ],
};
