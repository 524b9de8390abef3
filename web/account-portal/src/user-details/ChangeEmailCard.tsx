import { emailProblem, foldEmail } from '@sightline/contract/user-details'
import { patchUser } from '@sightline/contract/users'
import { Button, FormCard, PasswordField, type Rules, TextField, useForm } from '@sightline/kit'
import { accountQueries, UnsavedChanges, useApplication, useSave } from '@sightline/shell'
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
export function ChangeEmailCard({ current }: { current: string }) {
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
    form.reset()
  }

  return (
    <FormCard
      title={t('Change email address')}
      description={t('You sign in with {email}.', { email: current })}
      onSubmit={form.submit(saveEmail)}
      footer={
        <Button type="submit" busy={form.busy} disabled={!(form.changed && form.valid)}>
          {t('Change email address')}
        </Button>
      }
    >
      <UnsavedChanges changed={form.changed} onDiscard={form.reset} />
      <div className="grid items-start gap-x-5 gap-y-4 sm:grid-cols-2">
        <TextField label={t('New email address')} type="email" autoComplete="email" required {...form.field('email')} />
        <PasswordField
          label={t('Current password')}
          autoComplete="current-password"
          required
          {...form.field('password')}
        />
      </div>
    </FormCard>
  )
}
