import { ApiFailure } from '@sightline/client'
import { confirmationProblem, passwordProblem, patchCredentials } from '@sightline/contract/credentials'
import { Button, FormCard, PasswordField, type Rules, useForm } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { useText } from '../text.ts'
import { faultsOf } from './field-faults.ts'
import { UnsavedChanges } from './UnsavedChanges.tsx'

/** Long enough to read the message (specification §9). */
const RELOAD_AFTER_MS = 2000

interface NewPassword extends Record<string, string> {
  readonly password: string
  readonly newPassword: string
  readonly confirmation: string
}

const empty: NewPassword = { password: '', newPassword: '', confirmation: '' }

const rules: Rules<NewPassword> = {
  password: (text) => (text === '' ? 'Please enter your current password' : undefined),
  newPassword: passwordProblem,
  confirmation: (text, { newPassword }) => confirmationProblem(newPassword, text),
}

/** Ends the session when it succeeds, so that only who knows the new password comes back in. */
export function ChangePasswordCard({ email }: { email: string }) {
  const { client, session, snackBar } = useApplication()
  const t = useText()
  const form = useForm(empty, rules, t.message)

  const save = async ({ password, newPassword }: NewPassword) => {
    snackBar.closeErrors()
    try {
      await client.call(patchCredentials, { body: { password, newPassword } })
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      if (failure.sessionEnded) return
      form.refuse(failure.code === 8 ? { password: failure.message } : faultsOf(failure, ['password', 'newPassword']))
      snackBar.error(t.message(failure.message))
      return
    }
    form.reset()
    snackBar.success(t('The password was successfully changed.'))
    session.end('left')
    setTimeout(() => window.location.reload(), RELOAD_AFTER_MS)
  }

  return (
    <FormCard
      title={t('Change password')}
      description={t('Afterwards you are signed out everywhere and sign in with the new password.')}
      onSubmit={form.submit(save)}
      footer={
        <Button type="submit" busy={form.busy} disabled={!(form.changed && form.valid)}>
          {t('Change password')}
        </Button>
      }
    >
      <UnsavedChanges changed={form.changed} />
      {/* Tells a password manager whose password it is. */}
      <input type="hidden" autoComplete="username" value={email} readOnly />
      <div className="grid items-start gap-x-5 gap-y-4 sm:grid-cols-2">
        <PasswordField
          label={t('Current password')}
          autoComplete="current-password"
          required
          {...form.field('password')}
        />
        <div className="hidden sm:block" />
        <PasswordField
          label={t('New password')}
          autoComplete="new-password"
          required
          hint={t('8-32 letters, digits or special characters')}
          {...form.field('newPassword')}
        />
        <PasswordField
          label={t('Confirm new password')}
          autoComplete="new-password"
          required
          {...form.field('confirmation')}
        />
      </div>
    </FormCard>
  )
}
