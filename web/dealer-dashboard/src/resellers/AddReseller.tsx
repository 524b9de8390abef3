import { addReseller } from '@sightline/contract/resellers'
import { companyProblem, emailProblem } from '@sightline/contract/user-details'
import { FormDialog, type Rules, TextField, useForm } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { useRouter } from '@tanstack/react-router'
import { TimeZoneField } from '../shell/TimeZoneField.tsx'
import { useText } from '../text.ts'

interface NewReseller extends Record<string, string> {
  readonly name: string
  readonly contactEmail: string
  /** Empty: the default. */
  readonly timeZone: string
}

const empty: NewReseller = { name: '', contactEmail: '', timeZone: '' }
const rules: Rules<NewReseller> = {
  name: (text) => (text.trim() === '' ? 'Name is required' : companyProblem(text)),
  contactEmail: (text) => (text === '' ? undefined : emailProblem(text)),
}

/** Adds a reseller without modules. Then opens the page where they are turned on. */
export function AddReseller({ distributorId, onClose }: { distributorId: string; onClose: () => void }) {
  const { client, queries } = useApplication()
  const t = useText()
  const save = useSave()
  const router = useRouter()
  const form = useForm(empty, rules, t.message)
  const add = async ({ name, contactEmail, timeZone }: NewReseller) => {
    const body = {
      name: name.trim(),
      ...(contactEmail === '' ? {} : { contactDetails: { contactEmail } }),
      ...(timeZone === '' ? {} : { timeZone }),
    }
    const outcome = await save(() => client.call(addReseller, { params: { distributorId }, body }), {
      success: t('{name} added', { name: body.name }),
      form: { fields: ['name', 'contactEmail'], fieldOfCode: { 5: 'name' }, refuse: form.refuse },
    })
    if (!('saved' in outcome)) return
    void queries.invalidateQueries({ queryKey: ['distributors'] })
    onClose()
    void router.navigate({ to: `/resellers/${outcome.saved.resellerId}/settings` })
  }
  return (
    <FormDialog
      open
      onClose={onClose}
      title={t('Add reseller')}
      submit={t('Add reseller')}
      changed={form.changed}
      valid={form.valid}
      busy={form.busy}
      onSubmit={form.submit(add)}
    >
      <TextField label={t('Name')} autoComplete="off" required {...form.field('name')} />
      <TextField
        label={t('Email address')}
        optional={t('optional')}
        type="email"
        autoComplete="off"
        {...form.field('contactEmail')}
      />
      <TimeZoneField
        value={form.values.timeZone}
        without={t('Service default')}
        onChange={(timeZone) => form.choose('timeZone', timeZone)}
      />
    </FormDialog>
  )
}
