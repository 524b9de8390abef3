import type { LaterText } from '@sightline/client'
import { passwordProblem } from '@sightline/contract/credentials'
import { getAccountUsage } from '@sightline/contract/storage-usage'
import { addUser, type NewUser } from '@sightline/contract/sub-users'
import { emailProblem, type languageCodes, nameProblem, phoneProblem } from '@sightline/contract/user-details'
import {
  type Form,
  FormDialog,
  Notice,
  PasswordField,
  type Rules,
  Select,
  SettingSwitch,
  TextField,
  useForm,
} from '@sightline/kit'
import { useApplication, useSave, useTranslation } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { profilesQuery } from '../permission-profiles/index.ts'
import type { OwnPermissions } from '../rights/index.ts'
import { storageQueries } from '../storage-usage/index.ts'
import { assignableRights } from './assignable-rights.ts'
import { CameraChoice, type CameraSelection, isNothing, nothingChosen } from './CameraChoice.tsx'
import { personQueries, refetchUser } from './people-queries.ts'
import { useText } from './text.ts'

interface NewPerson extends Record<string, string> {
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly phone: string
  /** Empty: the account's language. */
  readonly language: string
  /** `mail` or `password`. */
  readonly way: string
  readonly password: string
  /** Empty: none. */
  readonly permissionProfileId: string
}

const empty: NewPerson = {
  email: '',
  firstName: '',
  lastName: '',
  phone: '',
  language: '',
  way: 'mail',
  password: '',
  permissionProfileId: '',
}

const rules: Rules<NewPerson> = {
  email: emailProblem,
  firstName: (text) => nameProblem('First', text),
  lastName: (text) => nameProblem('Last', text),
  phone: phoneProblem,
  password: (text, all) => (all.way === 'password' ? passwordProblem(text) : undefined),
}

type LanguageCode = (typeof languageCodes)[number]

function bodyOf(values: NewPerson, { allCameras, cameraIds, zoneIds }: CameraSelection): NewUser {
  const { email, firstName, lastName, phone, language, way, password, permissionProfileId } = values
  return {
    email: email.trim(),
    firstName,
    lastName,
    ...(phone === '' ? {} : { phone }),
    ...(language === '' ? {} : { language: language as LanguageCode }),
    ...(way === 'password' ? { password } : {}),
    ...(permissionProfileId === '' ? {} : { permissionProfileId: Number(permissionProfileId) }),
    ...(allCameras ? { allCameras } : { cameraIds: [...cameraIds].map(Number), zoneIds: [...zoneIds].map(Number) }),
  }
}

function Who({ form }: { form: Form<NewPerson> }) {
  const { languages } = useApplication()
  const t = useText()
  return (
    <>
      <TextField label={t('Email address')} type="email" autoComplete="off" required {...form.field('email')} />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField label={t('First name')} autoComplete="off" required {...form.field('firstName')} />
        <TextField label={t('Last name')} autoComplete="off" required {...form.field('lastName')} />
        <TextField
          label={t('Phone number')}
          optional={t('optional')}
          type="tel"
          autoComplete="off"
          {...form.field('phone')}
        />
        <Select
          label={t('Language')}
          value={form.values.language}
          onChange={(event) => form.choose('language', event.target.value)}
        >
          <option value="">{t('Account default')}</option>
          {languages.choices.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </Select>
      </div>
    </>
  )
}

/** How the user signs in first: with a link in an email, or with a password that the owner gives them. */
function WayIn({ form }: { form: Form<NewPerson> }) {
  const t = useText()
  const sets = form.values.way === 'password'
  return (
    <div>
      <SettingSwitch
        label={t('Set a password now')}
        description={t(
          sets
            ? 'No email is sent. Give them the password yourself.'
            : 'They get an email with a link to choose a password.',
        )}
        checked={sets}
        onChange={(on) => form.choose('way', on ? 'password' : 'mail')}
      />
      {sets ? (
        <PasswordField
          label={t('Password')}
          hint={t('8-32 characters')}
          autoComplete="new-password"
          {...form.field('password')}
        />
      ) : null}
    </div>
  )
}

function Profile({ form, own }: { form: Form<NewPerson>; own: OwnPermissions }) {
  const { client } = useApplication()
  const t = useText()
  const { data: profiles } = useQuery(profilesQuery(client))
  return (
    <Select
      label={t('Permission profile')}
      hint={t('You can change individual rights after you add the user.')}
      value={form.values.permissionProfileId}
      onChange={(event) => form.choose('permissionProfileId', event.target.value)}
    >
      <option value="">{t('No extra rights')}</option>
      {profiles?.map((profile) => (
        <option
          key={profile.permissionProfileId}
          value={profile.permissionProfileId}
          disabled={!assignableRights(profile, own)}
        >
          {profile.name}
        </option>
      ))}
    </Select>
  )
}

/** Says before the form is filled in that the server will refuse another user; known to users who see the usage. */
function LimitNotice({ own }: { own: OwnPermissions }) {
  const { client } = useApplication()
  const t = useTranslation<LaterText>()
  const { data: usage } = useQuery({ ...storageQueries(client).usage, enabled: own.may(getAccountUsage) })
  if (usage === undefined || usage.users < usage.maxUsers) return null
  return (
    <Notice mood="warning">
      {t("You've reached the maximum number of users. To add more, contact your reseller.")}
    </Notice>
  )
}

/** Invites a user, or adds one with a password. Then opens the user's page. */
export function AddPerson({ own, onClose }: { own: OwnPermissions; onClose: () => void }) {
  const { client, queries } = useApplication()
  const t = useText()
  const save = useSave()
  const router = useRouter()
  const form = useForm(empty, rules, t.message)
  const { data: me } = useQuery(personQueries(client, own.userId).person)
  const [chosen, setChosen] = useState<CameraSelection>(nothingChosen)
  const add = async (values: NewPerson) => {
    const outcome = await save(() => client.call(addUser, { body: bodyOf(values, chosen) }), {
      success: t(values.way === 'mail' ? 'Invitation sent to {email}' : '{email} added', {
        email: values.email.trim(),
      }),
      form: {
        fields: ['email', 'firstName', 'lastName', 'phone', 'password'],
        fieldOfCode: { 5: 'email' },
        refuse: form.refuse,
      },
    })
    if (!('saved' in outcome)) return
    refetchUser(queries)
    onClose()
    void router.navigate({ to: `/users/${outcome.saved.userId}/rights` })
  }
  return (
    <FormDialog
      open
      onClose={onClose}
      title={t('Add user')}
      submit={t(form.values.way === 'mail' ? 'Send invitation' : 'Add user')}
      changed={form.changed || !isNothing(chosen)}
      valid={form.valid}
      busy={form.busy}
      onSubmit={form.submit(add)}
    >
      <LimitNotice own={own} />
      <Who form={form} />
      <WayIn form={form} />
      <Profile form={form} own={own} />
      <CameraChoice chosen={chosen} mayGiveAll={own.isOwner || me?.allCameras === true} onChange={setChosen} />
    </FormDialog>
  )
}
