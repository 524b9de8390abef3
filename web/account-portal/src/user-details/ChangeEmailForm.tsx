import { emailProblem, foldEmail } from '@sightline/contract/user-details'
import { patchUser } from '@sightline/contract/users'
import { PasswordField, type Rules, TextField, useForm } from '@sightline/kit'
import { accountQueries, UnsavedChanges, useApplication, useSave } from '@sightline/shell'
import { EditButtons } from './EditButtons.tsx'
import { useSignInCardText } from './text.ts'

interface NewEmail extends Record<string, string> {
  readonly email: string
  readonly password: string
}

const empty: NewEmail = { email: '', password: '' }

const rulesBesides = (current: string): Rules<NewEmail> => ({
  email: (text) =>
    emailProblem(text) ?? (foldEmail(text) === foldEmail(current) ? 'This is your current email address' : undefined),
  password: (text) => (text === '' ? 'Please enter your current password' : undefined),
})

/** The field of an error code: 5 means that the address exists, 8 that the password is wrong. */
const fieldOfCode: Readonly<Record<number, 'email' | 'password'>> = { 5: 'email', 8: 'password' }

/** A new address requires the current password, because emails can reset the password. */
export function ChangeEmailForm({ current, onClose }: { current: string; onClose: () => void }) {
  const { client, queries } = useApplication()
  const t = useSignInCardText()
  const save = useSave()
  const form = useForm(empty, rulesBesides(current), t.message)

  const saveEmail = async ({ email, password }: NewEmail) => {
    const outcome = await save(() => client.call(patchUser, { body: { email, password } }), {
      success: t('Your details are successfully changed'),
      form: { fields: ['email', 'password'], fieldOfCode, refuse: form.refuse },
    })
    if ('failure' in outcome) return
    queries.setQueryData(accountQueries(client).user.queryKey, outcome.saved)
    onClose()
  }

  return (
    <form noValidate onSubmit={form.submit(saveEmail)}>
      <UnsavedChanges changed={form.changed} onDiscard={form.reset} />
      <div className="grid items-start gap-x-5 gap-y-4 sm:grid-cols-2">
        <TextField
          label={t('New email address')}
          type="email"
          autoComplete="email"
          required
          autoFocus
          {...form.field('email')}
        />
        <PasswordField
          label={t('Current password')}
          autoComplete="current-password"
          required
          {...form.field('password')}
        />
      </div>
      <EditButtons form={form} save={t('Change email address')} onCancel={onClose} />
    </form>
  )
}
