import { Card, CopyField } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { useText } from './text.ts'

/** The first two calls of any program, with the addresses of this installation. */
export function HowTo() {
  const t = useText()
  const { authServer, apiServer } = useApplication().config
  return (
    <Card title={t('How a program signs in')} className="mt-6">
      <ol className="list-decimal space-y-5 ps-5">
        <li>
          <CopyField
            label={t(
              'It gets a token for its client ID and secret; curl asks for the secret, so that it is in no history',
            )}
            value={`curl -u CLIENT_ID -d grant_type=client_credentials ${authServer}/oauth/token`}
          />
        </li>
        <li>
          <CopyField
            label={t('It sends that token with every call, here for the list of cameras')}
            value={`curl -H "Authorization: Bearer TOKEN" ${apiServer}cameras`}
          />
        </li>
      </ol>
      <p className="mt-5 text-muted">
        {t(
          'The reply says in expires_in for how many seconds the token is good; after that the program gets another one.',
        )}
      </p>
    </Card>
  )
}
