import type { SourceProvider } from '@/lib/incoming/schema';

/** A text, the URL to copy, our secret or the source's id to copy, a form for the provider's secret, or an example of the signature. */
export type StepPart =
  | string
  | { kind: 'url' | 'ourSecret' | 'id'; label: string }
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
  GITLAB: [
    {
      title: 'Add a webhook to your project or group',
      parts: ['In GitLab, open **Settings → Webhooks** and click **Add new webhook**.'],
    },
    {
      title: 'Paste the URL and the secret token',
      parts: [
        { kind: 'url', label: 'URL' },
        { kind: 'ourSecret', label: 'Secret token' },
        'For GitLab’s **signing token**, which signs the body, create a source for **Standard Webhooks** instead.',
      ],
    },
    {
      title: 'Choose triggers and save',
      parts: [
        'Select the triggers you want, keep **SSL verification** enabled, and click **Add webhook**. Then send a test from its **Test** menu.',
      ],
    },
  ],
  TELEGRAM: [
    {
      title: 'Set the webhook of your bot',
      parts: [
        'Call [setWebhook](https://core.telegram.org/bots/api#setwebhook) of the Bot API with this `url` and `secret_token`.',
        { kind: 'url', label: 'url' },
        { kind: 'ourSecret', label: 'secret_token' },
      ],
    },
    { title: 'Send a message to your bot', parts: ['Telegram sends each update in its own request.'] },
  ],
  PADDLE: [
    {
      title: 'Create a notification destination',
      parts: [
        'In Paddle, open **Developer tools → Notifications**, click **New destination**, choose **Webhook**, and paste this URL.',
        { kind: 'url', label: 'URL' },
      ],
    },
    {
      title: 'Paste the secret key here',
      asksForSecret: true,
      parts: [
        'Edit the new destination and copy its **Secret key**. It starts with pdl_ntfset_.',
        { kind: 'theirSecret', label: 'Secret key from Paddle', placeholder: 'pdl_ntfset_…' },
      ],
    },
    { title: 'Send a test notification', parts: ['Send one with **Developer tools → Simulations**.'] },
  ],
  CALENDLY: [
    {
      title: 'Create a webhook subscription',
      parts: [
        'Calendly creates webhooks by its API: call [Create Webhook Subscription](https://developer.calendly.com/api-docs/c1ddc06ce1f1b-create-webhook-subscription) with this `url` and `signing_key`.',
        { kind: 'url', label: 'url' },
        { kind: 'ourSecret', label: 'signing_key' },
      ],
    },
    { title: 'Book a meeting', parts: ['Calendly then sends invitee.created.'] },
  ],
  ZENDESK: [
    {
      title: 'Create a webhook',
      parts: [
        'In the Admin Center, open **Apps and integrations → Webhooks**, click **Create webhook**, and paste this URL. Set **Request method** to **POST**.',
        { kind: 'url', label: 'Endpoint URL' },
      ],
    },
    {
      title: 'Paste the signing secret here',
      asksForSecret: true,
      parts: [
        'Open the new webhook and click **Reveal secret** under **Signing secret**.',
        { kind: 'theirSecret', label: 'Signing secret from Zendesk', placeholder: 'Base64' },
      ],
    },
    {
      title: 'Send an event',
      parts: [
        'Change a ticket that triggers the webhook. A test before the webhook exists is signed with another secret.',
      ],
    },
  ],
  HUBSPOT: [
    {
      title: 'Paste the client secret here',
      asksForSecret: true,
      parts: [
        'HubSpot signs with the **Client secret** of your app, on its **Auth** page.',
        { kind: 'theirSecret', label: 'Client secret from HubSpot', placeholder: 'xxxxxxxx-xxxx-…' },
      ],
    },
    {
      title: 'Set the target URL',
      parts: [
        'In the webhooks of your app, set this **Target URL**. HubSpot signs it, so rotate it here and there together.',
        { kind: 'url', label: 'Target URL' },
      ],
    },
    { title: 'Create subscriptions', parts: ['Subscribe to events such as contact.creation, and activate them.'] },
  ],
  SQUARE: [
    {
      title: 'Add a webhook subscription',
      parts: [
        'In the [Developer Console](https://developer.squareup.com/apps), open your app, then **Webhooks → Subscriptions**, and add this URL with the events you want.',
        { kind: 'url', label: 'Notification URL' },
      ],
    },
    {
      title: 'Paste the signature key here',
      asksForSecret: true,
      parts: [
        'Open the subscription and show its **Signature key**.',
        { kind: 'theirSecret', label: 'Signature key from Square', placeholder: '22 characters' },
      ],
    },
    { title: 'Send a test event', parts: ['In the menu of the subscription, click **Send test event**.'] },
  ],
  META: [
    {
      title: 'Paste the app secret here',
      asksForSecret: true,
      parts: [
        'In the [App Dashboard](https://developers.facebook.com/apps), open **App settings → Basic** and show the **App secret**.',
        { kind: 'theirSecret', label: 'App secret from Meta', placeholder: '32 hexadecimal digits' },
      ],
    },
    {
      title: 'Paste the URL and the verify token',
      parts: [
        'Open **Webhooks**, or the configuration of WhatsApp, and paste both. Meta verifies the URL when you save.',
        { kind: 'url', label: 'Callback URL' },
        { kind: 'id', label: 'Verify token' },
      ],
    },
    { title: 'Subscribe to fields', parts: ['Subscribe to the fields you want, and send a test of one.'] },
  ],
  // Zoom validates the URL with a signed request, so its secret comes first.
  ZOOM: [
    {
      title: 'Paste the secret token here first',
      asksForSecret: true,
      parts: [
        'Open your app in the [App Marketplace](https://marketplace.zoom.us), then **Features → Access**, and copy the **Secret Token**.',
        { kind: 'theirSecret', label: 'Secret token from Zoom', placeholder: '22 characters' },
      ],
    },
    {
      title: 'Paste the URL and validate it',
      parts: [
        'Under **Event Subscription**, add this endpoint URL, click **Validate**, select the events you want, and save.',
        { kind: 'url', label: 'Event notification endpoint URL' },
      ],
    },
  ],
  MICROSOFT_GRAPH: [
    {
      title: 'Create a subscription',
      parts: [
        'Call [POST /subscriptions](https://learn.microsoft.com/graph/api/subscription-post-subscriptions) with this `notificationUrl` and `clientState`. Use the URL as `lifecycleNotificationUrl` too.',
        { kind: 'url', label: 'notificationUrl' },
        { kind: 'ourSecret', label: 'clientState' },
      ],
    },
    {
      title: 'Renew it before it expires',
      parts: ['Graph ends a subscription at its `expirationDateTime`. Renewing it is up to you.'],
    },
  ],
  // Discord verifies the URL with a signed request, so its key comes first.
  DISCORD: [
    {
      title: 'Paste the public key here first',
      asksForSecret: true,
      parts: [
        'Open your app in the [Developer Portal](https://discord.com/developers/applications) and copy the **Public Key** of its **General Information**.',
        { kind: 'theirSecret', label: 'Public key from Discord', placeholder: '64 hexadecimal digits' },
      ],
    },
    {
      title: 'Paste the URL',
      parts: [
        'Open **Webhooks**, paste this URL as the **Endpoint**, enable **Events**, select those you want, and save. Discord verifies the URL.',
        { kind: 'url', label: 'Endpoint' },
      ],
    },
  ],
  STANDARD_WEBHOOKS: [
    ADD_TO_SENDER,
    {
      title: 'Send an event',
      parts: [
        'Requests include the webhook-id, webhook-timestamp and webhook-signature headers defined by [Standard Webhooks](https://www.standardwebhooks.com), or the same with svix- names. Timestamps can be off by up to five minutes.',
      ],
    },
  ],
  GENERIC_HMAC: [
    ADD_TO_SENDER,
    {
      title: 'Sign each request',
      parts: [
        'The signature is the HMAC of the raw body, keyed with the secret. To change its hash, header, encoding or what is signed, click **Edit**.',
        { kind: 'example' },
      ],
    },
  ],
  TOKEN: [
    ADD_TO_SENDER,
    {
      title: 'Send the secret with each request',
      parts: [
        'To change the header or what comes before the secret, click **Edit**. We never store the secret with a request.',
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
        'Send any POST request with a body of up to 512 KiB, or more if the operator allows it. We store the body byte for byte, along with its headers.',
      ],
    },
  ],
};
