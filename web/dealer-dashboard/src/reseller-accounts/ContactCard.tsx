import { type Account, type AccountPatch, accountPatch } from '@sightline/contract/reseller-accounts'
import { companyProblem, nameProblem, phoneProblem } from '@sightline/contract/user-details'
import { Button, FormCard, type Rules, Select, TextField, useForm } from '@sightline/kit'
import { UnsavedChanges } from '@sightline/shell'
import * as z from 'zod/mini'
import { LanguageField } from '../shell/LanguageField.tsx'
import { TimeZoneField } from '../shell/TimeZoneField.tsx'
import { useText } from '../text.ts'
import { userTypes } from './account-marks.tsx'
import type { AccountIds } from './account-queries.ts'
import { useAccountChange } from './use-account-change.ts'

const contactFields = [
  'firstName',
  'lastName',
  'contactEmail',
  'companyName',
  'phone',
  'address',
  'postalCode',
  'city',
] as const
type ContactField = (typeof contactFields)[number]

interface Contact extends Record<string, string>, Record<ContactField, string> {
  readonly name: string
  readonly userType: string
  readonly language: string
  readonly timeZone: string
}

const contactOf = (account: Account): Contact => ({
  ...(Object.fromEntries(contactFields.map((field) => [field, account.contactDetails[field] ?? ''])) as Record<
    ContactField,
    string
  >),
  name: account.name,
  userType: account.userType,
  language: account.language,
  timeZone: account.timeZone,
})

const LONGEST_NAME = 128
const rules: Rules<Contact> = {
  name: (text) => (text.trim() === '' ? 'Name is required' : companyProblem(text)),
  firstName: (text) => (text === '' ? undefined : nameProblem('First', text, LONGEST_NAME)),
  lastName: (text) => (text === '' ? undefined : nameProblem('Last', text, LONGEST_NAME)),
  companyName: companyProblem,
  phone: phoneProblem,
}

/** Only the differences. */
function contactChange(saved: Contact, values: Contact): AccountPatch {
  const differs = (field: string) => saved[field] !== values[field]
  const contact = contactFields.filter(differs).map((field) => [field, values[field] === '' ? null : values[field]])
  const rest = ['name', 'userType', 'language', 'timeZone'].filter(differs).map((field) => [field, values[field]])
  return z.parse(accountPatch, {
    ...Object.fromEntries(rest),
    ...(contact.length === 0 ? {} : { contactDetails: Object.fromEntries(contact) }),
  })
}

interface ContactCardProps {
  account: Account
  place: AccountIds
  readOnly: boolean
}

/** The account's name, contact person and language. */
export function ContactCard({ account, place, readOnly }: ContactCardProps) {
  const t = useText()
  const change = useAccountChange(place)
  const saved = contactOf(account)
  const form = useForm(saved, rules, t.message)
  const save = async (values: Contact) => {
    await change(contactChange(saved, values), {
      success: t('Account updated'),
      form: { fields: ['name', ...contactFields], refuse: form.refuse },
    })
  }
  const optional = { optional: t('optional'), autoComplete: 'off' }
  return (
    <FormCard
      title={t('Contact')}
      description={t("Who to contact about this account. The owner's sign-in email address is separate.")}
      onSubmit={form.submit(save)}
      footer={
        readOnly ? undefined : (
          <>
            <Button variant="secondary" disabled={!form.changed} onClick={form.reset}>
              {t('Cancel')}
            </Button>
            <Button type="submit" busy={form.busy} disabled={!(form.changed && form.valid)}>
              {t('Save changes')}
            </Button>
          </>
        )
      }
    >
      <fieldset disabled={readOnly} className="grid items-start gap-4 sm:grid-cols-2">
        <legend className="sr-only">{t('Contact')}</legend>
        <TextField label={t('Account name')} autoComplete="off" required {...form.field('name')} />
        <TextField label={t('Company')} {...optional} {...form.field('companyName')} />
        <TextField label={t('First name')} {...optional} {...form.field('firstName')} />
        <TextField label={t('Last name')} {...optional} {...form.field('lastName')} />
        <TextField label={t('Email address')} type="email" {...optional} {...form.field('contactEmail')} />
        <TextField label={t('Phone number')} type="tel" {...optional} {...form.field('phone')} />
        <TextField label={t('Address')} {...optional} {...form.field('address')} />
        <TextField label={t('Postal code')} {...optional} {...form.field('postalCode')} />
        <TextField label={t('City')} {...optional} {...form.field('city')} />
        <Select
          label={t('Type')}
          value={form.values.userType}
          onChange={(event) => form.choose('userType', event.target.value)}
        >
          {Object.entries(userTypes).map(([value, label]) => (
            <option key={value} value={value}>
              {t(label)}
            </option>
          ))}
        </Select>
        <LanguageField value={form.values.language} onChange={(language) => form.choose('language', language)} />
        <TimeZoneField
          value={form.values.timeZone}
          onChange={(timeZone) => form.choose('timeZone', timeZone)}
          disabled={readOnly}
        />
      </fieldset>
      <UnsavedChanges changed={form.changed} onDiscard={form.reset} />
    </FormCard>
  )
}
