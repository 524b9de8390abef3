import { confirmationProblem, passwordProblem, patchCredentials } from '@sightline/contract/credentials'
import { PasswordField, type Rules, useForm } from '@sightline/kit'
import { UnsavedChanges, useApplication, useSave } from '@sightline/shell'
import { EditButtons } from './EditButtons.tsx'
import { useSignInCardText } from './text.ts'

/** Enough time to read the message (specification §9). */
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

/** Ends the session after a success, so that only someone who knows the new password gets back in. */
export function ChangePasswordForm({ email, onClose }: { email: string; onClose: () => void }) {
  const { client, session } = useApplication()
  const t = useSignInCardText()
  const save = useSave()
  const form = useForm(empty, rules, t.message)

  const savePassword = async ({ password, newPassword }: NewPassword) => {
    const outcome = await save(() => client.call(patchCredentials, { body: { password, newPassword } }), {
      success: t('The password was successfully changed.'),
      form: { fields: ['password', 'newPassword'], fieldOfCode: { 8: 'password' }, refuse: form.refuse },
    })
    if ('failure' in outcome) return
    onClose()
    session.end('left')
    setTimeout(() => window.location.reload(), RELOAD_AFTER_MS)
  }

  return (
    <form noValidate onSubmit={form.submit(savePassword)}>
      <p className="mb-4 max-w-prose text-muted">
        {t("You'll be signed out everywhere. Sign in again with your new password.")}
      </p>
      <UnsavedChanges changed={form.changed} onDiscard={form.reset} />
      {/* Tells password managers which user this is. */}
      <input type="hidden" autoComplete="username" value={email} readOnly />
      <div className="grid items-start gap-x-5 gap-y-4 sm:grid-cols-2">
        <PasswordField
          label={t('Current password')}
          autoComplete="current-password"
          required
          autoFocus
          {...form.field('password')}
        />
        <div className="hidden sm:block" />
        <PasswordField
          label={t('New password')}
          autoComplete="new-password"
          required
          hint={t('8-32 letters, numbers or special characters')}
          {...form.field('newPassword')}
        />
        <PasswordField
          label={t('Confirm new password')}
          autoComplete="new-password"
          required
          {...form.field('confirmation')}
        />
      </div>
      <EditButtons form={form} save={t('Change password')} onCancel={onClose} />
    </form>
  )
}
