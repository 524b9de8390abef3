import { companyProblem, nameProblem, phoneProblem } from '@sightline/contract/user-details'
import { type Form, type Option, type Rules, SearchSelect, TextField, useForm } from '@sightline/kit'
import { accountQueries, fieldErrors, UnsavedChanges, useApplication } from '@sightline/shell'
import { zoneLabel } from '@sightline/shell/time-zones'
import { countryName } from './countries.ts'
import { EditButtons } from './EditButtons.tsx'
import {
  type DetailChanges,
  detailChanges,
  type Outcome,
  type PersonalDetails,
  saveChanges,
} from './personal-details.ts'
import { type SignInCardText, useSignInCardText } from './text.ts'

const partNames: Record<keyof DetailChanges, SignInCardText> = {
  name: 'Name',
  details: 'Phone number, company and country',
  timeZone: 'Time zone',
}

// Few users open one of the two lists, so their code loads only then.
const loadLists = () => import('./place-lists.ts')

/** The lists behind the two searchable fields, fetched when first opened. */
function useLists() {
  const { client, queries, languages, snackBar } = useApplication()
  const t = useSignInCardText()
  const orTell = async (list: Promise<readonly Option[]>): Promise<readonly Option[]> => {
    try {
      return await list
    } catch (failure) {
      if (failure instanceof Error) snackBar.error(t.message(failure.message))
      return []
    }
  }
  const asked = { client, queries, language: languages.current() }
  return {
    countries: () => orTell(loadLists().then((lists) => lists.countryList(asked))),
    timeZones: () => orTell(loadLists().then((lists) => lists.timeZoneOptions(asked))),
  }
}

/** Stores the saved values and reports each part that failed. */
function useReport() {
  const { client, queries, snackBar } = useApplication()
  const t = useSignInCardText()
  const keys = accountQueries(client)
  const keep = (outcome: Outcome) => {
    if ('failure' in outcome) return
    if (outcome.part === 'name') queries.setQueryData(keys.user.queryKey, outcome.saved)
    else if (outcome.part === 'details') queries.setQueryData(keys.details.queryKey, outcome.saved)
    else queries.setQueryData(keys.timeZone.queryKey, outcome.saved)
  }
  return (outcomes: readonly Outcome[]) => {
    for (const outcome of outcomes) keep(outcome)
    const failed = outcomes.filter((outcome) => 'failure' in outcome)
    if (failed.length === 0) snackBar.success(t('Your details are successfully changed'))
    for (const { part, failure } of failed) {
      if (failure.sessionEnded) continue
      const reason = t.message(failure.message)
      snackBar.error(t("{part} couldn't be saved: {reason}", { part: t(partNames[part]), reason }))
    }
  }
}

const rules: Rules<PersonalDetails> = {
  firstName: (text) => nameProblem('First', text),
  lastName: (text) => nameProblem('Last', text),
  phone: phoneProblem,
  companyName: companyProblem,
}

interface FieldsProps {
  form: Form<PersonalDetails>
  mayChangeName: boolean
  mayChangeTimeZone: boolean
}

function NameAndContact({ form, mayChangeName }: Omit<FieldsProps, 'mayChangeTimeZone'>) {
  const t = useSignInCardText()
  return (
    <>
      <TextField
        label={t('First name')}
        autoComplete="given-name"
        required
        autoFocus={mayChangeName}
        disabled={!mayChangeName}
        {...form.field('firstName')}
      />
      <TextField
        label={t('Last name')}
        autoComplete="family-name"
        required
        disabled={!mayChangeName}
        {...form.field('lastName')}
      />
      <TextField
        label={t('Phone number')}
        optional={t('optional')}
        type="tel"
        autoComplete="tel"
        autoFocus={!mayChangeName}
        {...form.field('phone')}
      />
      <TextField
        label={t('Company')}
        optional={t('optional')}
        autoComplete="organization"
        {...form.field('companyName')}
      />
    </>
  )
}

function Region({ form, mayChangeTimeZone }: Omit<FieldsProps, 'mayChangeName'>) {
  const { languages } = useApplication()
  const t = useSignInCardText()
  const lists = useLists()
  const { country, timeZone } = form.values
  return (
    <>
      <SearchSelect
        label={t('Country')}
        optional={t('optional')}
        placeholder={t('Select a country')}
        searchHint={t('Search by name')}
        value={country}
        valueLabel={countryName(country, languages.current())}
        options={lists.countries}
        onChange={(value) => form.choose('country', value)}
        error={form.field('country').error}
      />
      {timeZone === '' ? null : (
        <SearchSelect
          label={t('Time zone')}
          searchHint={t('Search by city or UTC offset, such as +2')}
          hint={
            mayChangeTimeZone
              ? t('Applies to the whole account, including schedules and reports.')
              : t('Only the account owner and users with the “Account settings” right can change this.')
          }
          value={timeZone}
          valueLabel={zoneLabel(timeZone, new Date())}
          options={lists.timeZones}
          onChange={(value) => form.choose('timeZone', value)}
          disabled={!mayChangeTimeZone}
          error={form.field('timeZone').error}
        />
      )}
    </>
  )
}

interface PersonalDetailsFormProps {
  saved: PersonalDetails
  mayChangeName: boolean
  mayChangeTimeZone: boolean
  onClose: () => void
}

/** The fields of the personal details (specification §2 "Details screen"); closes once all of them are saved. */
export function PersonalDetailsForm({ saved, onClose, ...may }: PersonalDetailsFormProps) {
  const { client, snackBar } = useApplication()
  const t = useSignInCardText()
  const report = useReport()
  const form = useForm(saved, rules, t.message)

  const save = async (values: PersonalDetails) => {
    snackBar.closeErrors()
    const outcomes = await saveChanges(client, detailChanges(saved, values))
    report(outcomes)
    const failed = outcomes.filter((outcome) => 'failure' in outcome)
    if (failed.length === 0) onClose()
    for (const { failure } of failed) {
      form.refuse(fieldErrors(failure, ['firstName', 'lastName', 'phone', 'companyName', 'country', 'timeZone']))
    }
  }

  return (
    <form noValidate onSubmit={form.submit(save)}>
      <UnsavedChanges changed={form.changed} onDiscard={form.reset} />
      <div className="grid items-start gap-x-5 gap-y-4 sm:grid-cols-2">
        <NameAndContact form={form} {...may} />
        <Region form={form} {...may} />
      </div>
      <EditButtons form={form} save={t('Save changes')} onCancel={onClose} />
    </form>
  )
}
