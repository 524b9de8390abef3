import { companyProblem, nameProblem, phoneProblem } from '@sightline/contract/user-details'
import { Button, type Form, FormCard, type Option, type Rules, SearchSelect, TextField, useForm } from '@sightline/kit'
import { accountQueries, faultsOf, UnsavedChanges, useApplication } from '@sightline/shell'
import { zoneLabel } from '@sightline/shell/time-zones'
import { type Text, useText } from '../text.ts'
import { countryName } from './countries.ts'
import { type Changes, changesOf, type Outcome, type PersonalDetails, saveChanges } from './personal-details.ts'

const partNames: Record<keyof Changes, Text> = {
  name: 'Name',
  details: 'Phone number, company and country',
  timeZone: 'Time zone',
}

// Few people open these two lists, so their code loads on demand.
const loadLists = () => import('./place-lists.ts')

/** The lists of the two searchable fields, loaded when first opened. */
function useLists() {
  const { client, queries, languages, snackBar } = useApplication()
  const t = useText()
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

/** Applies the saved values and reports each part that failed. */
function useReport() {
  const { client, queries, snackBar } = useApplication()
  const t = useText()
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
  readOnly: boolean
  mayChangeName: boolean
  mayChangeTimeZone: boolean
}

function NameAndReach({ form, readOnly, mayChangeName }: Omit<FieldsProps, 'mayChangeTimeZone'>) {
  const t = useText()
  return (
    <>
      <TextField
        label={t('First name')}
        autoComplete="given-name"
        required
        disabled={readOnly || !mayChangeName}
        {...form.field('firstName')}
      />
      <TextField
        label={t('Last name')}
        autoComplete="family-name"
        required
        disabled={readOnly || !mayChangeName}
        {...form.field('lastName')}
      />
      <TextField
        label={t('Phone number')}
        {...(readOnly ? {} : { optional: t('optional') })}
        type="tel"
        autoComplete="tel"
        disabled={readOnly}
        {...form.field('phone')}
      />
      <TextField
        label={t('Company')}
        {...(readOnly ? {} : { optional: t('optional') })}
        autoComplete="organization"
        disabled={readOnly}
        {...form.field('companyName')}
      />
    </>
  )
}

function Place({ form, readOnly, mayChangeTimeZone }: Omit<FieldsProps, 'mayChangeName'>) {
  const { languages } = useApplication()
  const t = useText()
  const lists = useLists()
  const { country, timeZone } = form.values
  return (
    <>
      <SearchSelect
        label={t('Country')}
        {...(readOnly ? {} : { optional: t('optional') })}
        placeholder={t('Search by name')}
        value={country}
        valueLabel={countryName(country, languages.current())}
        options={lists.countries}
        onChange={(value) => form.choose('country', value)}
        disabled={readOnly}
        error={form.field('country').error}
      />
      {timeZone === '' ? null : (
        <SearchSelect
          label={t('Time zone')}
          placeholder={t('Search by city or UTC offset, such as +2')}
          hint={
            mayChangeTimeZone || readOnly
              ? t('Applies to the whole account, including schedules and reports.')
              : t('Only the account owner and users with the account settings right can change this.')
          }
          value={timeZone}
          valueLabel={zoneLabel(timeZone, new Date())}
          options={lists.timeZones}
          onChange={(value) => form.choose('timeZone', value)}
          disabled={readOnly || !mayChangeTimeZone}
          error={form.field('timeZone').error}
        />
      )}
    </>
  )
}

interface PersonalDetailsCardProps {
  saved: PersonalDetails
  /** Read-only. */
  readOnly: boolean
  mayChangeName: boolean
  mayChangeTimeZone: boolean
}

/** Name, telephone, company, country and time zone (specification §2 "Details screen"). */
export function PersonalDetailsCard({ saved, ...may }: PersonalDetailsCardProps) {
  const { client, snackBar } = useApplication()
  const t = useText()
  const report = useReport()
  const form = useForm(saved, rules, t.message)

  const save = async (values: PersonalDetails) => {
    snackBar.closeErrors()
    const outcomes = await saveChanges(client, changesOf(saved, values))
    report(outcomes)
    for (const outcome of outcomes) {
      if ('failure' in outcome) {
        form.refuse(faultsOf(outcome.failure, ['firstName', 'lastName', 'phone', 'companyName', 'country', 'timeZone']))
      }
    }
  }

  return (
    <FormCard
      title={t('Personal details')}
      description={t('Your name and how we can reach you.')}
      onSubmit={form.submit(save)}
      footer={
        may.readOnly ? undefined : (
          <Button type="submit" busy={form.busy} disabled={!(form.changed && form.valid)}>
            {t('Save changes')}
          </Button>
        )
      }
    >
      <UnsavedChanges changed={form.changed} onDiscard={form.reset} />
      <div className="grid items-start gap-x-5 gap-y-4 sm:grid-cols-2">
        <NameAndReach form={form} {...may} />
        <Place form={form} {...may} />
      </div>
    </FormCard>
  )
}
