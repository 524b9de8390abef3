import {
  type CameraUser,
  cameraUserLevels,
  patchCameraUser,
  postCameraUser,
  type SettableLevel,
} from '@sightline/contract/camera-users'
import { type Form, FormDialog, Notice, PasswordField, Select, Switch, TextField, useForm } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { levelTexts } from './level-texts.ts'
import { type Text, useText } from './text.ts'

interface UserValues {
  readonly [field: string]: string
  readonly username: string
  readonly password: string
  /** Empty: stays as it is, at a level that the camera’s maker defined. */
  readonly level: string
  /** `true` or `false`. */
  readonly allowPlainText: string
}

const fields = ['username', 'password'] as const

interface UserDialogProps {
  cameraId: number
  /** Undefined: another one is added. */
  user?: CameraUser
  /** The password crosses the camera's network in plain text. */
  needsConsent: boolean
  onClose: () => void
  onChanged: () => void
}

const isLevel = (text: string): text is SettableLevel => cameraUserLevels.some((level) => level === text)

/** What is to be entered before a user can be saved. */
const rulesOf = (user: CameraUser | undefined, needsConsent: boolean) => ({
  username: (text: string): Text | undefined => (text.trim() === '' ? 'Enter a name.' : undefined),
  password: (text: string): Text | undefined => (user === undefined && text === '' ? 'Enter a password.' : undefined),
  allowPlainText: (value: string, { password }: UserValues): Text | undefined =>
    needsConsent && password !== '' && value !== 'true' ? 'Send the password unencrypted' : undefined,
})

/** Why the camera didn't do it, by error code. */
function useRefusals(): Readonly<Record<number, string>> {
  const t = useText()
  return {
    3: t('The camera refused this name or password.'),
    4: t('The camera doesn’t have this user anymore.'),
    5: t('The camera already has a user with this name.'),
    6: t('The camera doesn’t allow this: it has too many users, or this user can’t be changed.'),
    11: t('The users of this camera can only be changed in the camera’s own settings.'),
    12: t('The camera rejected the saved sign-in, or its user isn’t an administrator of the camera.'),
    13: t('The camera refused this change. Some cameras take a new level only together with a new password.'),
    18: t('The camera is offline. Its users weren’t changed.'),
  }
}

function Consent({ form }: { form: Form<UserValues> }) {
  const t = useText()
  return (
    <Switch
      label={t('Send the password unencrypted')}
      description={t(
        'The camera isn’t connected over HTTPS, so others on its network could read the password on its way. Turn this on if you accept that.',
      )}
      checked={form.values.allowPlainText === 'true'}
      onChange={(checked) => form.choose('allowPlainText', String(checked))}
    />
  )
}

/** Adds a user to a camera, or sets another password or level for one. */
export function UserDialog({ cameraId, user, needsConsent, onClose, onChanged }: UserDialogProps) {
  const t = useText()
  const { client } = useApplication()
  const save = useSave()
  const messages = useRefusals()
  const known = user === undefined || user.level === 'other' ? '' : user.level
  const initial = {
    username: user?.username ?? '',
    password: '',
    level: user === undefined ? 'user' : known,
    allowPlainText: 'false',
  }
  const form = useForm<UserValues>(initial, rulesOf(user, needsConsent), t.message)
  const send = ({ username, password, level, allowPlainText }: UserValues) => {
    const consent = needsConsent && password !== '' ? { allowPlainText: allowPlainText === 'true' } : {}
    const named = isLevel(level) ? { level } : {}
    if (user === undefined) {
      const body = { username: username.trim(), password, level: isLevel(level) ? level : 'user', ...consent } as const
      return client.call(postCameraUser, { params: { cameraId }, body })
    }
    const body = { ...(level === known ? {} : named), ...(password === '' ? {} : { password }), ...consent }
    return client.call(patchCameraUser, { params: { cameraId, username: user.username }, body })
  }
  return (
    <FormDialog
      open
      onClose={onClose}
      title={user === undefined ? t('Add a user to the camera') : t('Change {name}', { name: user.username })}
      submit={user === undefined ? t('Add user') : t('Save changes')}
      changed={form.changed}
      valid={form.valid}
      busy={form.busy}
      onSubmit={form.submit(async (values) => {
        const done = await save(() => send(values), {
          success: t(user === undefined ? 'User added to the camera' : 'User of the camera changed'),
          messages,
          form: { fields, fieldOfCode: { 5: 'username' }, refuse: form.refuse },
        })
        onChanged()
        if (!('failure' in done)) onClose()
      })}
    >
      <div className="space-y-4">
        {user === undefined ? (
          <TextField
            {...form.field('username')}
            label={t('Name in the camera')}
            dir="ltr"
            autoComplete="off"
            maxLength={64}
          />
        ) : null}
        <PasswordField
          {...form.field('password')}
          label={t(user === undefined ? 'Password in the camera' : 'New password in the camera')}
          hint={t(
            user === undefined
              ? 'It’s sent to the camera and not saved here. Keep a copy.'
              : 'Leave empty to keep the password. A new one is sent to the camera and not saved here.',
          )}
          autoComplete="new-password"
        />
        <Select
          label={t('Level')}
          hint={t('Administrators can change everything, operators control the camera, viewers only watch.')}
          value={form.values.level}
          onChange={(event) => form.choose('level', event.target.value)}
        >
          {user?.level === 'other' ? <option value="">{t(levelTexts.other)}</option> : null}
          {cameraUserLevels.map((level) => (
            <option key={level} value={level}>
              {t(levelTexts[level])}
            </option>
          ))}
        </Select>
        {needsConsent && form.values.password !== '' ? <Consent form={form} /> : null}
        <Notice>
          {t('Anyone with this password can open the camera directly, without an entry in the audit log.')}
        </Notice>
      </div>
    </FormDialog>
  )
}
