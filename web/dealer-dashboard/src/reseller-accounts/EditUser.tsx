import { type AccountUser, accountUserPatch, patchAccountUser } from '@sightline/contract/reseller-accounts'
import { emailProblem, nameProblem, phoneProblem } from '@sightline/contract/user-details'
import { FormDialog, type Rules, TextField, useForm } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import * as z from 'zod/mini'
import { LanguageField } from '../shell/LanguageField.tsx'
import { useText } from '../text.ts'
import { type AccountIds, refetchAccount } from './account-queries.ts'

interface Editable extends Record<string, string> {
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly phone: string
  readonly language: string
}

const rules: Rules<Editable> = {
  email: emailProblem,
  firstName: (text) => nameProblem('First', text),
  lastName: (text) => nameProblem('Last', text),
  phone: phoneProblem,
}

interface EditUserProps {
  user: AccountUser
  place: AccountIds
  onClose: () => void
}

/** A user's name, telephone and language, and a new email address, which waits for the user's confirmation. */
export function EditUser({ user, place, onClose }: EditUserProps) {
  const { client, queries } = useApplication()
  const t = useText()
  const save = useSave()
  const { email, pendingEmail, firstName, lastName, phone, language, userId } = user
  const saved: Editable = { email, firstName, lastName, phone: phone ?? '', language }
  const form = useForm(saved, rules, t.message)
  const change = async (values: Editable) => {
    const changed = Object.keys(values).filter((field) => values[field] !== saved[field])
    const body = z.parse(accountUserPatch, Object.fromEntries(changed.map((field) => [field, values[field]])))
    const outcome = await save(() => client.call(patchAccountUser, { params: { ...place, userId }, body }), {
      success: t(values.email === email ? 'User updated' : 'Confirmation email sent to the user'),
      form: {
        fields: ['email', 'firstName', 'lastName', 'phone'],
        fieldOfCode: { 5: 'email' },
        refuse: form.refuse,
      },
    })
    if (!('saved' in outcome)) return
    refetchAccount(queries, place)
    onClose()
  }
  return (
    <FormDialog
      open
      onClose={onClose}
      title={t('Edit user')}
      changed={form.changed}
      valid={form.valid}
      busy={form.busy}
      onSubmit={form.submit(change)}
    >
      <TextField
        label={t('Email address')}
        type="email"
        autoComplete="off"
        required
        hint={
          pendingEmail === null
            ? t('A new address takes effect after the user confirms it from the current one.')
            : t('{email} is pending until the user confirms it from the current address.', { email: pendingEmail })
        }
        {...form.field('email')}
      />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField label={t('First name')} autoComplete="off" required {...form.field('firstName')} />
        <TextField label={t('Last name')} autoComplete="off" required {...form.field('lastName')} />
        <TextField label={t('Phone number')} type="tel" autoComplete="off" {...form.field('phone')} />
        <LanguageField value={form.values.language} onChange={(code) => form.choose('language', code)} />
      </div>
    </FormDialog>
  )
}
