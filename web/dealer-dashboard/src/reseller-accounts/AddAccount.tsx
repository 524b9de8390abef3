import { type AccountInput, addAccount } from '@sightline/contract/reseller-accounts'
import {
  companyProblem,
  emailProblem,
  type languageCodes,
  nameProblem,
  phoneProblem,
} from '@sightline/contract/user-details'
import { FormDialog, type Rules, Select, TextField, useForm } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { LanguageField } from '../shell/LanguageField.tsx'
import { TimeZoneField } from '../shell/TimeZoneField.tsx'
import { useText } from '../text.ts'
import { userTypes } from './account-marks.tsx'
import { accountsKey, packagesQuery, refetchInsights } from './account-queries.ts'

interface NewAccount extends Record<string, string> {
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly companyName: string
  readonly phone: string
  readonly packageId: string
  readonly userType: string
  /** Empty: the reseller's time zone. */
  readonly language: string
  readonly timeZone: string
}

const empty: NewAccount = {
  firstName: '',
  lastName: '',
  email: '',
  companyName: '',
  phone: '',
  packageId: '',
  userType: 'regular',
  language: '',
  timeZone: '',
}

const LONGEST_NAME = 128
const rules: Rules<NewAccount> = {
  firstName: (text) => nameProblem('First', text, LONGEST_NAME),
  lastName: (text) => nameProblem('Last', text, LONGEST_NAME),
  email: emailProblem,
  packageId: (chosen) => (chosen === '' ? 'Choose a subscription' : undefined),
  companyName: companyProblem,
  phone: phoneProblem,
}

type LanguageCode = (typeof languageCodes)[number]

function bodyOf(values: NewAccount): AccountInput {
  const { firstName, lastName, companyName, phone, email, packageId, userType, language, timeZone } = values
  return {
    contactDetails: {
      firstName,
      lastName,
      ...(companyName === '' ? {} : { companyName }),
      ...(phone === '' ? {} : { phone }),
    },
    email: email.trim(),
    userType: userType as NonNullable<AccountInput['userType']>,
    subscriptionId: Number(packageId),
    ...(language === '' ? {} : { language: language as LanguageCode }),
    ...(timeZone === '' ? {} : { timeZone }),
  }
}

/** Adds a customer, whose owner gets an email to set the password. Then opens the account. */
export function AddAccount({ resellerId, onClose }: { resellerId: string; onClose: () => void }) {
  const { client, queries } = useApplication()
  const t = useText()
  const save = useSave()
  const router = useRouter()
  const form = useForm(empty, rules, t.message)
  const { data: packages = [] } = useQuery(packagesQuery(client, resellerId))
  const add = async (values: NewAccount) => {
    const outcome = await save(() => client.call(addAccount, { params: { resellerId }, body: bodyOf(values) }), {
      success: t('Account for {email} added', { email: values.email.trim() }),
      form: {
        fields: ['firstName', 'lastName', 'email', 'companyName', 'phone'],
        fieldOfCode: { 5: 'email' },
        refuse: form.refuse,
      },
    })
    if (!('saved' in outcome)) return
    void queries.invalidateQueries({ queryKey: accountsKey(resellerId) })
    refetchInsights(queries, resellerId)
    onClose()
    void router.navigate({ to: `/resellers/${resellerId}/accounts/${outcome.saved.accountId}` })
  }
  const { onChange: _, ...packageField } = form.field('packageId')
  return (
    <FormDialog
      open
      onClose={onClose}
      title={t('Add account')}
      submit={t('Add account')}
      changed={form.changed}
      valid={form.valid}
      busy={form.busy}
      onSubmit={form.submit(add)}
    >
      <p className="text-muted">{t('The owner gets an email with a link to set a password.')}</p>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField label={t('First name')} autoComplete="off" required {...form.field('firstName')} />
        <TextField label={t('Last name')} autoComplete="off" required {...form.field('lastName')} />
      </div>
      <TextField label={t('Email address')} type="email" autoComplete="off" required {...form.field('email')} />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField label={t('Company')} optional={t('optional')} autoComplete="off" {...form.field('companyName')} />
        <TextField
          label={t('Phone number')}
          optional={t('optional')}
          type="tel"
          autoComplete="off"
          {...form.field('phone')}
        />
        <Select
          label={t('Subscription')}
          required
          {...packageField}
          onChange={(event) => form.choose('packageId', event.target.value)}
        >
          <option value="">–</option>
          {packages.map((one) => (
            <option key={one.subscriptionPackageId} value={one.subscriptionPackageId}>
              {one.name}
            </option>
          ))}
        </Select>
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
        <LanguageField
          value={form.values.language}
          without={t('Same as reseller')}
          onChange={(language) => form.choose('language', language)}
        />
        <TimeZoneField
          value={form.values.timeZone}
          without={t('Same as reseller')}
          onChange={(timeZone) => form.choose('timeZone', timeZone)}
        />
      </div>
    </FormDialog>
  )
}
