import { Card, CopyField } from '@sightline/kit'
import { useApplication } from '../application.ts'
import { useText } from './text.ts'

/** The first two calls of any program, with the addresses of this installation. */
export function UsageExample({ example }: { example: { readonly label: string; readonly path: string } }) {
  const t = useText()
  const { authServer, apiServer } = useApplication().config
  return (
    <Card title={t('How to use an API key')} className="mt-6">
      <ol className="list-decimal space-y-5 ps-5">
        <li>
          <CopyField
            label={t(
              'Get a token with the client ID and secret. curl prompts for the secret, so it stays out of your shell history.',
            )}
            value={`curl -u CLIENT_ID -d grant_type=client_credentials ${authServer}/oauth/token`}
          />
        </li>
        <li>
          <CopyField
            label={example.label}
            value={`curl -H "Authorization: Bearer TOKEN" ${apiServer}${example.path}`}
          />
        </li>
      </ol>
      <p className="mt-5 text-muted">
        {t('The token expires after the number of seconds in expires_in. After that, request a new one.')}
      </p>
    </Card>
  )
}
