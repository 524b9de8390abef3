import { type AccountUser, accountUserPatch, patchAccountUser } from '@sightline/contract/reseller-accounts'
import { nameProblem, phoneProblem } from '@sightline/contract/user-details'
import { type Rules, TextField, useForm } from '@sightline/kit'
import { FormDialog } from '@sightline/kit/page'
import { useApplication, useSave } from '@sightline/shell'
import * as z from 'zod/mini'
import { LanguageField } from '../shell/LanguageField.tsx'
import { useText } from '../text.ts'
import { askAgainFor, type Place } from './account-queries.ts'

interface Editable extends Record<string, string> {
  readonly firstName: string
  readonly lastName: string
  readonly phone: string
  readonly language: string
}

const rules: Rules<Editable> = {
  firstName: (text) => nameProblem('First', text),
  lastName: (text) => nameProblem('Last', text),
  phone: phoneProblem,
}

interface EditUserProps {
  user: AccountUser
  place: Place
  onClose: () => void
}

/** Name, telephone and language of a user. The address is theirs: only they can change it. */
export function EditUser({ user, place, onClose }: EditUserProps) {
  const { client, queries } = useApplication()
  const t = useText()
  const save = useSave()
  const { firstName, lastName, phone, language, userId } = user
  const saved: Editable = { firstName, lastName, phone: phone ?? '', language }
  const form = useForm(saved, rules, t.message)
  const change = async (values: Editable) => {
    const changed = Object.keys(values).filter((field) => values[field] !== saved[field])
    const body = z.parse(accountUserPatch, Object.fromEntries(changed.map((field) => [field, values[field]])))
    const outcome = await save(() => client.call(patchAccountUser, { params: { ...place, userId }, body }), {
      success: t('The user was changed'),
      form: { fields: ['firstName', 'lastName', 'phone'], refuse: form.refuse },
    })
    if (!('saved' in outcome)) return
    askAgainFor(queries, place)
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
      <p className="text-muted">
        <bdi dir="ltr">{user.email}</bdi>
        {' · '}
        {t('Only the user can change the address they sign in with.')}
      </p>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField label={t('First name')} autoComplete="off" required {...form.field('firstName')} />
        <TextField label={t('Last name')} autoComplete="off" required {...form.field('lastName')} />
        <TextField label={t('Telephone')} type="tel" autoComplete="off" {...form.field('phone')} />
        <LanguageField value={form.values.language} onChange={(code) => form.choose('language', code)} />
      </div>
    </FormDialog>
  )
}
