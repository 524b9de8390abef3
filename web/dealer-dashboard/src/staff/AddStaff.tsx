import { allPermissions } from '@sightline/contract/rights'
import { getStaffProfiles, type NewStaffUser, type StaffUser } from '@sightline/contract/staff'
import { emailProblem, type languageCodes, nameProblem, phoneProblem } from '@sightline/contract/user-details'
import { FormDialog, type Rules, Select, TextField, useForm } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { LanguageField } from '../shell/LanguageField.tsx'
import { useOwnStaff } from '../shell/own-staff.ts'
import { useText } from '../text.ts'
import { type StaffOrganisation, staffCalls } from './staff-calls.ts'

interface NewStaff extends Record<string, string> {
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly phone: string
  readonly language: string
  /** Empty: no permissions yet. */
  readonly profileId: string
}

const empty: NewStaff = { firstName: '', lastName: '', email: '', phone: '', language: '', profileId: '' }
const rules: Rules<NewStaff> = {
  firstName: (text) => nameProblem('First', text),
  lastName: (text) => nameProblem('Last', text),
  email: emailProblem,
  phone: phoneProblem,
}

type LanguageCode = (typeof languageCodes)[number]

function bodyOf({ firstName, lastName, email, phone, language, profileId }: NewStaff): NewStaffUser {
  return {
    firstName,
    lastName,
    email: email.trim(),
    ...(phone === '' ? {} : { phone }),
    ...(language === '' ? {} : { language: language as LanguageCode }),
    ...(profileId === '' ? {} : { permissionProfileId: Number(profileId) }),
  }
}

/**
 * Profiles that can be assigned to staff of a reseller. The user can't assign one with more permissions than they have.
 */
function useGivableProfiles(of: StaffOrganisation) {
  const { client } = useApplication()
  const own = useOwnStaff()
  const { data = [] } = useQuery({
    queryKey: ['staffProfiles', of],
    queryFn: ({ signal }) =>
      of.kind === 'reseller'
        ? client.call(getStaffProfiles, { params: { resellerId: of.resellerId } }, { signal })
        : Promise.resolve([]),
  })
  return data.filter(({ permissions }) => allPermissions.every((one) => !permissions[one] || own.holds(one)))
}

/** Adds a staff member, who gets an email to set the password. Then opens their permissions. */
export function AddStaff({ of, onClose }: { of: StaffOrganisation; onClose: () => void }) {
  const { client, queries } = useApplication()
  const t = useText()
  const save = useSave()
  const router = useRouter()
  const form = useForm(empty, rules, t.message)
  const profiles = useGivableProfiles(of)
  const calls = staffCalls(client, of)
  const add = async (values: NewStaff) => {
    const outcome = await save<StaffUser, keyof NewStaff & string>(() => calls.add(bodyOf(values)), {
      success: t('Invitation sent to {email}', { email: values.email.trim() }),
      form: {
        fields: ['firstName', 'lastName', 'email', 'phone'],
        fieldOfCode: { 5: 'email' },
        refuse: form.refuse,
      },
    })
    if (!('saved' in outcome)) return
    void queries.invalidateQueries({ queryKey: calls.key })
    onClose()
    void router.navigate({ to: `${calls.home}/${outcome.saved.userId}` })
  }
  return (
    <FormDialog
      open
      onClose={onClose}
      title={t('Add staff')}
      submit={t('Send invitation')}
      changed={form.changed}
      valid={form.valid}
      busy={form.busy}
      onSubmit={form.submit(add)}
    >
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField label={t('First name')} autoComplete="off" required {...form.field('firstName')} />
        <TextField label={t('Last name')} autoComplete="off" required {...form.field('lastName')} />
      </div>
      <TextField label={t('Email address')} type="email" autoComplete="off" required {...form.field('email')} />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField
          label={t('Phone number')}
          optional={t('optional')}
          type="tel"
          autoComplete="off"
          {...form.field('phone')}
        />
        <LanguageField
          value={form.values.language}
          without={t('Service default')}
          onChange={(language) => form.choose('language', language)}
        />
      </div>
      {profiles.length === 0 ? null : (
        <Select
          label={t('Permission profile')}
          hint={t('You can adjust individual permissions after adding the person.')}
          value={form.values.profileId}
          onChange={(event) => form.choose('profileId', event.target.value)}
        >
          <option value="">{t('No permissions')}</option>
          {profiles.map(({ permissionProfileId, name }) => (
            <option key={permissionProfileId} value={permissionProfileId}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </FormDialog>
  )
}
