import { ApiFailure } from '@sightline/client'
import { emailProblem, foldEmail } from '@sightline/contract/user-details'
import { patchUser } from '@sightline/contract/users'
import { Button, FormCard, PasswordField, type Rules, TextField, useForm } from '@sightline/kit'
import { accountQueries, useApplication } from '@sightline/shell'
import { useText } from '../text.ts'
import { faultsOf } from './field-faults.ts'
import { UnsavedChanges } from './UnsavedChanges.tsx'

interface NewEmail extends Record<string, string> {
  readonly email: string
  readonly password: string
}

const empty: NewEmail = { email: '', password: '' }

const rulesBesides = (current: string): Rules<NewEmail> => ({
  email: (text) =>
    emailProblem(text) ?? (foldEmail(text) === foldEmail(current) ? 'This is your present email address' : undefined),
  password: (text) => (text === '' ? 'Please enter your current password' : undefined),
})

/** Which field an error of the catalogue is about: 5 the address is taken, 8 the password is wrong. */
const fieldOfCode: Readonly<Record<number, keyof NewEmail>> = { 5: 'email', 8: 'password' }

/** A new address needs the current password, because mails can reset it. */
export function ChangeEmailCard({ current }: { current: string }) {
  const { client, queries, snackBar } = useApplication()
  const t = useText()
  const form = useForm(empty, rulesBesides(current), t.message)

  const save = async ({ email, password }: NewEmail) => {
    snackBar.closeErrors()
    try {
      const user = await client.call(patchUser, { body: { email, password } })
      queries.setQueryData(accountQueries(client).user.queryKey, user)
      form.reset()
      snackBar.success(t('Your details are successfully changed'))
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      if (failure.sessionEnded) return
      const about = fieldOfCode[failure.code]
      form.refuse(about === undefined ? faultsOf(failure, ['email', 'password']) : { [about]: failure.message })
      snackBar.error(t.message(failure.message))
    }
  }

  return (
    <FormCard
      title={t('Change email address')}
      description={t('You sign in with {email}.', { email: current })}
      onSubmit={form.submit(save)}
      footer={
        <Button type="submit" busy={form.busy} disabled={!(form.changed && form.valid)}>
          {t('Change email address')}
        </Button>
      }
    >
      <UnsavedChanges changed={form.changed} />
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
