import { CopyValue } from './copy-value';
import { Name, type SetupStep, StepText } from './step-list';
import { TheirSecret } from './their-secret';

/** Shopify signs the webhooks of a store with one secret, which it shows below their list. */
export function shopifySteps(url: string, hasSecret: boolean): SetupStep[] {
  return [
    {
      title: 'Create a webhook in your store',
      content: (
        <StepText>
          In the Shopify admin, open <Name>Settings → Notifications → Webhooks</Name> and choose{' '}
          <Name>Create webhook</Name>.
        </StepText>
      ),
    },
    {
      title: 'Paste the URL',
      content: (
        <>
          <CopyValue label="URL" value={url} />
          <StepText>
            Choose the <Name>Event</Name>, set <Name>Format</Name> to <Name>JSON</Name>, and choose <Name>Save</Name>.
            Create one webhook for each event; all can have this URL.
          </StepText>
        </>
      ),
    },
    {
      title: 'Copy the signing secret here',
      isDone: hasSecret,
      content: (
        <>
          <StepText>
            Below the list of webhooks Shopify says what they are signed with. For a webhook that an app subscribes to,
            it is the <Name>Client secret</Name> of the app.
          </StepText>
          <TheirSecret label="Signing secret from Shopify" placeholder="64 characters" />
        </>
      ),
    },
    {
      title: 'Send a test notification',
      content: (
        <StepText>
          In the list of webhooks, open the menu of the new one and choose <Name>Send test notification</Name>.
        </StepText>
      ),
    },
  ];
}
