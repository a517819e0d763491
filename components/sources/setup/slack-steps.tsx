import { CopyValue } from './copy-value';
import { Name, ProviderLink, type SetupStep, StepText } from './step-list';
import { TheirSecret } from './their-secret';

/** Slack verifies the URL with a signed request, so its secret comes first. */
export function slackSteps(url: string, hasSecret: boolean): SetupStep[] {
  return [
    {
      title: 'Copy the signing secret here first',
      isDone: hasSecret,
      content: (
        <>
          <StepText>
            Open your app at <ProviderLink href="https://api.slack.com/apps">api.slack.com/apps</ProviderLink>. Under{' '}
            <Name>Basic Information → App Credentials</Name>, show the <Name>Signing Secret</Name> and copy it. Slack
            checks the URL in the next step with a request that is signed with it.
          </StepText>
          <TheirSecret label="Signing secret from Slack" placeholder="32 hexadecimal digits" />
        </>
      ),
    },
    {
      title: 'Paste the URL',
      content: (
        <>
          <StepText>
            Open <Name>Event Subscriptions</Name>, turn <Name>Enable Events</Name> on, and paste this URL. Slack shows{' '}
            <Name>Verified</Name> beside it.
          </StepText>
          <CopyValue label="Request URL" value={url} />
        </>
      ),
    },
    {
      title: 'Choose events and save',
      content: (
        <StepText>
          Under <Name>Subscribe to bot events</Name>, add events such as app_mention, and choose{' '}
          <Name>Save Changes</Name>. Reinstall the app when Slack asks for it, then mention it in a channel.
        </StepText>
      ),
    },
  ];
}
