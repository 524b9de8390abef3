import type { TaggedReply } from '@sightline/client'
import { getCountries } from '@sightline/contract/reference-lists'
import {
  getPersonDetails,
  type ManagedUser,
  patchPerson,
  patchPersonCredentials,
  patchPersonDetails,
} from '@sightline/contract/sub-users'
import type { UserDetails as Details } from '@sightline/contract/user-details'
import {
  Button,
  Card,
  ConfirmDialog,
  type Form,
  FormCard,
  Details as Known,
  SearchSelect,
  Select,
  TextField,
  useForm,
} from '@sightline/kit'
import { UnsavedChanges, useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CHANGED_MEANWHILE, ifMatch } from '../right-switches/index.ts'
import { ReadOnly } from '../rights/index.ts'
import { personQueries, refetchUser } from './people-queries.ts'
import { formFields, formRules, type UserForm, userForm, userPatches } from './person-form.ts'
import { displayName, useMoment, wrapping } from './person-marks.tsx'
import { Loaded, type Pair, usePair, useReadOnly } from './person-page.tsx'
import { useText } from './text.ts'

const READ_ONLY = 'details-read-only'

interface FieldsProps {
  form: Form<UserForm>
  readOnly: boolean
}

interface ReachProps extends FieldsProps {
  /** Only the user and the owner can change it. */
  emailIsTheirs: boolean
}

function Reach({ form, readOnly, emailIsTheirs }: ReachProps) {
  const { languages } = useApplication()
  const t = useText()
  const optional = readOnly ? {} : { optional: t('optional') }
  const common = { disabled: readOnly, autoComplete: 'off' }
  return (
    <>
      <TextField label={t('First name')} required {...common} {...form.field('firstName')} />
      <TextField label={t('Last name')} required {...common} {...form.field('lastName')} />
      <TextField
        label={t('Email address')}
        type="email"
        required
        hint={t(
          emailIsTheirs
            ? 'The user has already signed in with this address. Only they and the account owner can change it.'
            : 'Used to sign in. If you change it, a notice is sent to the old address.',
        )}
        {...common}
        disabled={readOnly || emailIsTheirs}
        {...form.field('email')}
      />
      <Select
        label={t('Language')}
        disabled={readOnly}
        value={form.values.language}
        onChange={(event) => form.choose('language', event.target.value)}
      >
        {languages.choices.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </Select>
      <TextField label={t('Phone number')} type="tel" {...optional} {...common} {...form.field('phone')} />
      <TextField
        label={t('Second phone number')}
        type="tel"
        {...optional}
        {...common}
        {...form.field('secondaryPhone')}
      />
    </>
  )
}

function Where({ form, readOnly }: FieldsProps) {
  const { client, queries, languages } = useApplication()
  const t = useText()
  const optional = readOnly ? {} : { optional: t('optional') }
  const common = { ...optional, disabled: readOnly, autoComplete: 'off' }
  const names = new Intl.DisplayNames([languages.current()], { type: 'region', fallback: 'code' })
  const nameOfCountry = (code: string) => (code === '' ? '' : (names.of(code) ?? code))
  const countries = async () => {
    const list = await queries.fetchQuery({
      queryKey: ['countries'],
      queryFn: ({ signal }) => client.call(getCountries, {}, { signal }),
    })
    return list
      .map(({ country }) => ({ value: country, label: nameOfCountry(country), keywords: country }))
      .toSorted((one, other) => one.label.localeCompare(other.label, languages.current()))
  }
  const { country } = form.values
  return (
    <>
      <TextField label={t('Company')} {...common} {...form.field('companyName')} />
      <TextField label={t('Address')} {...common} {...form.field('address')} />
      <TextField label={t('Postal code')} {...common} {...form.field('postalCode')} />
      <TextField label={t('City')} {...common} {...form.field('city')} />
      <TextField label={t('Region')} {...common} {...form.field('region')} />
      <SearchSelect
        label={t('Country')}
        {...optional}
        placeholder={t('Select a country')}
        searchHint={t('Search by name')}
        value={country}
        valueLabel={nameOfCountry(country)}
        options={countries}
        onChange={(code) => form.choose('country', code)}
        disabled={readOnly}
        error={form.field('country').error}
      />
    </>
  )
}

interface EditorProps {
  person: ManagedUser
  details: TaggedReply<Details>
  readOnly: boolean
}

/** Saves the differences with up to two calls. Changes that failed stay in the form. */
function useSaveDetails({ person, details }: EditorProps, form: Form<UserForm>) {
  const { client, queries } = useApplication()
  const t = useText()
  const save = useSave()
  const { userId } = person
  return async (values: UserForm) => {
    const patches = userPatches(userForm(person, details.value), values)
    const known = personQueries(client, userId)
    const work = async () => {
      if (patches.person !== undefined) {
        const saved = await client.call(patchPerson, { params: { userId }, body: patches.person })
        queries.setQueryData(known.person.queryKey, saved)
      }
      if (patches.details === undefined) return
      const call = { params: { userId }, body: patches.details }
      const saved = await client.tagged(patchPersonDetails, call, { headers: ifMatch(details) })
      queries.setQueryData(known.details.queryKey, saved)
    }
    const outcome = await save(work, {
      success: t('Details for {name} saved', { name: displayName({ ...person, ...values }) }),
      messages: { 6: CHANGED_MEANWHILE },
      form: { fields: formFields, fieldOfCode: { 5: 'email' }, refuse: form.refuse },
    })
    refetchUser(queries, userId)
    if ('failure' in outcome) void queries.invalidateQueries({ queryKey: known.details.queryKey })
  }
}

function Editor(props: EditorProps) {
  const { person, details, readOnly } = props
  const t = useText()
  const form = useForm(userForm(person, details.value), formRules, t.message)
  const save = useSaveDetails(props, form)
  return (
    <FormCard
      title={t('Personal details')}
      onSubmit={form.submit(save)}
      footer={
        readOnly ? undefined : (
          <Button type="submit" busy={form.busy} disabled={!(form.changed && form.valid)}>
            {t('Save changes')}
          </Button>
        )
      }
    >
      <UnsavedChanges changed={form.changed} onDiscard={form.reset} />
      <div className="grid items-start gap-x-5 gap-y-4 sm:grid-cols-2">
        <Reach form={form} readOnly={readOnly} emailIsTheirs={person.emailIsTheirs} />
        <Where form={form} readOnly={readOnly} />
      </div>
    </FormCard>
  )
}

/** How the user signs in. Only they can choose their password. */
function SignIn({ person }: { person: ManagedUser }) {
  const { client } = useApplication()
  const t = useText()
  const save = useSave()
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const { userId, email } = person
  const send = async () => {
    setBusy(true)
    const work = () => client.call(patchPersonCredentials, { params: { userId }, body: { sendLink: true } })
    await save(work, { success: t('Link sent to {email}', { email }) })
    setBusy(false)
    setAsking(false)
  }
  return (
    <Card
      className="mt-5"
      title={t('Password')}
      description={t("You can't set someone else's password. Email them a link to choose a new one.")}
    >
      <Button variant="secondary" icon="mail" className={wrapping} onClick={() => setAsking(true)}>
        {t('Send password reset link')}
      </Button>
      <ConfirmDialog
        open={asking}
        title={t('Send password reset link')}
        confirm={t('Send link')}
        busy={busy}
        onClose={() => setAsking(false)}
        onConfirm={() => void send()}
      >
        {t('The link is sent to {email}. The current password works until they choose a new one.', { email })}
      </ConfirmDialog>
    </Card>
  )
}

/** The details that everyone with access to users may see. */
function Facts({ person }: { person: ManagedUser }) {
  const t = useText()
  const moment = useMoment()
  return (
    <Card className="mt-5" title={t('Sign-in and account')}>
      <Known
        details={[
          { label: t('Last sign-in'), value: person.lastLogin === null ? t('Never') : moment(person.lastLogin) },
          { label: t('Two-factor authentication'), value: t(person.mfaEnabled ? 'On' : 'Off') },
          { label: t('Added'), value: moment(person.createdAt) },
        ]}
      />
    </Card>
  )
}

function WithDetails({ pair }: { pair: Pair }) {
  const { client } = useApplication()
  const { person, own } = pair
  const readOnly = useReadOnly(pair)
  const query = useQuery(personQueries(client, person.userId).details)
  return (
    <Loaded query={query}>
      {(details) => (
        <>
          <ReadOnly id={READ_ONLY}>{readOnly}</ReadOnly>
          <Editor person={person} details={details} readOnly={readOnly !== undefined} />
          {readOnly === undefined && own.may(patchPersonCredentials) ? <SignIn person={person} /> : null}
          <Facts person={person} />
        </>
      )}
    </Loaded>
  )
}

function NameOnly({ pair }: { pair: Pair }) {
  const t = useText()
  const { person } = pair
  return (
    <>
      <ReadOnly id={READ_ONLY}>{useReadOnly(pair)}</ReadOnly>
      <Card title={t('Personal details')}>
        <Known
          details={[
            { label: t('First name'), value: person.firstName },
            { label: t('Last name'), value: person.lastName },
            { label: t('Email address'), value: person.email },
          ]}
        />
      </Card>
      <Facts person={person} />
    </>
  )
}

/** A user's name and contact details. */
export function UserDetails() {
  const pair = usePair()
  if (pair === undefined) return null
  return pair.own.may(getPersonDetails) ? <WithDetails pair={pair} /> : <NameOnly pair={pair} />
}
