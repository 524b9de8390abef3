import { type CameraCredentialsReply, setCameraPassword } from '@sightline/contract/camera-connection'
import { PasswordField, Switch, useForm } from '@sightline/kit'
import { SaveCard, useApplication, useSave } from '@sightline/shell'
import { connectionQueries } from './connection-queries.ts'
import { type Text, useText } from './text.ts'

interface PasswordValues {
  readonly [field: string]: string
  readonly password: string
  /** `true` or `false`. */
  readonly allowPlainText: string
}

const initial: PasswordValues = { password: '', allowPlainText: 'false' }

/** The server asks the camera up to four times, each for twelve seconds. */
const TIMEOUT_MS = 60_000

interface PasswordCardProps {
  cameraId: number
  username: string
  credentials: CameraCredentialsReply
  /** The camera's requests are encrypted. */
  isSecure: boolean
  fixed: boolean
}

/** Sets another password in the camera itself. */
export function PasswordCard({ cameraId, username, credentials, isSecure, fixed }: PasswordCardProps) {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  const needsConsent = !(isSecure || credentials.allowBasic)
  const rules = {
    password: (text: string): Text | undefined => (text === '' ? 'Enter the new password.' : undefined),
    allowPlainText: (value: string): Text | undefined =>
      needsConsent && value !== 'true' ? 'Send the new password unencrypted' : undefined,
  }
  const form = useForm<PasswordValues>(initial, rules, t.message)
  const onSave = async ({ password }: PasswordValues) => {
    const body = { password, ...(needsConsent && { allowPlainText: true }) }
    const call = () => client.call(setCameraPassword, { params: { cameraId }, body }, { timeoutMs: TIMEOUT_MS })
    const done = await save(call, {
      success: t('Camera password changed'),
      messages: {
        3: t(
          'The camera refused this password as too weak or too long. Most cameras take 8 to 32 characters with capital letters, digits and symbols.',
        ),
        11: t(
          'The password of this camera can only be changed in the camera’s own settings. Enter it under “Sign-in” afterwards.',
        ),
        12: t('The camera rejected the saved sign-in, or its user isn’t an administrator of the camera.'),
        13: t('The camera kept its old password, which still works.'),
        18: t('The camera is offline. Its password wasn’t changed.'),
        19: t(
          'The camera stopped responding. The server finds out which password it has as soon as it responds again.',
        ),
      },
      form: { fields: ['password'], fieldOfCode: { 3: 'password' }, refuse: form.refuse },
    })
    if ('failure' in done) return
    form.reset()
    queries.setQueryData(connectionQueries(client, cameraId).credentials.queryKey, done.saved)
  }
  return (
    <SaveCard
      title={t('Change the camera’s password')}
      description={t(
        'Sets a new password in the camera for the user “{username}”. It’s saved here once the camera accepts it.',
        { username },
      )}
      form={form}
      onSave={onSave}
      readOnly={fixed}
    >
      <div className="max-w-2xl space-y-4">
        <PasswordField
          {...form.field('password')}
          label={t('New camera password')}
          hint={t('Keep a copy: you need it to open the camera’s own settings.')}
          autoComplete="new-password"
          disabled={fixed}
        />
        {needsConsent ? (
          <Switch
            label={t('Send the new password unencrypted')}
            description={t(
              'The camera isn’t connected over HTTPS, so others on its network could read the password on its way. Turn this on if you accept that.',
            )}
            checked={form.values.allowPlainText === 'true'}
            disabled={fixed}
            onChange={(checked) => form.choose('allowPlainText', String(checked))}
          />
        ) : null}
      </div>
    </SaveCard>
  )
}
