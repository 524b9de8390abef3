import { type CameraUser, cameraUserLevels, type SettableLevel } from '@sightline/contract/camera-users'
import { type Form, FormDialog, Notice, PasswordField, Select, Switch, TextField, useForm } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { hostTexts } from './host-texts.ts'
import { levelTexts } from './level-texts.ts'
import { type Text, useText } from './text.ts'
import { addUser, changeUser, type HostKey } from './user-calls.ts'

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
  host: HostKey
  /** Undefined: another one is added. */
  user?: CameraUser
  /** The password crosses the network of the camera or recorder in plain text. */
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
function useRefusals({ kind }: HostKey): Readonly<Record<number, string>> {
  const t = useText()
  const texts = hostTexts[kind]
  return {
    3: t(texts.invalid),
    4: t(texts.gone),
    5: t(texts.taken),
    6: t(texts.notAllowed),
    11: t(texts.ownSettings),
    12: t(texts.signInRejected),
    13: t(texts.refused),
    14: t(texts.unchanged),
    18: t(texts.unchanged),
  }
}

function Consent({ form, host }: { form: Form<UserValues>; host: HostKey }) {
  const t = useText()
  const texts = hostTexts[host.kind]
  return (
    <Switch
      label={t('Send the password unencrypted')}
      description={t(texts.unencrypted)}
      checked={form.values.allowPlainText === 'true'}
      onChange={(checked) => form.choose('allowPlainText', String(checked))}
    />
  )
}

/** Adds a user to a camera or recorder, or sets another password or level for one. */
export function UserDialog({ host, user, needsConsent, onClose, onChanged }: UserDialogProps) {
  const t = useText()
  const { client } = useApplication()
  const save = useSave()
  const messages = useRefusals(host)
  const texts = hostTexts[host.kind]
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
      return addUser(client, host, body)
    }
    const body = { ...(level === known ? {} : named), ...(password === '' ? {} : { password }), ...consent }
    return changeUser(client, { ...host, username: user.username }, body)
  }
  return (
    <FormDialog
      open
      onClose={onClose}
      title={user === undefined ? t(texts.addTitle) : t('Change {name}', { name: user.username })}
      submit={user === undefined ? t('Add user') : t('Save changes')}
      changed={form.changed}
      valid={form.valid}
      busy={form.busy}
      onSubmit={form.submit(async (values) => {
        const done = await save(() => send(values), {
          success: t(user === undefined ? texts.added : texts.changed),
          messages,
          form: { fields, fieldOfCode: { 5: 'username' }, refuse: form.refuse, isEnough: true },
        })
        onChanged()
        if (!('failure' in done)) onClose()
      })}
    >
      <div className="space-y-4">
        {user === undefined ? (
          <TextField {...form.field('username')} label={t(texts.name)} dir="ltr" autoComplete="off" maxLength={64} />
        ) : null}
        <PasswordField
          {...form.field('password')}
          label={t(user === undefined ? texts.password : texts.newPassword)}
          hint={t(user === undefined ? texts.passwordHint : texts.newPasswordHint)}
          autoComplete="new-password"
        />
        <Select
          label={t('Level')}
          hint={t(texts.levelHint)}
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
        {needsConsent && form.values.password !== '' ? <Consent form={form} host={host} /> : null}
        <Notice>{t(texts.opensDirectly)}</Notice>
      </div>
    </FormDialog>
  )
}
