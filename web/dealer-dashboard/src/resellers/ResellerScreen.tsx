import {
  deleteReseller,
  patchModules,
  patchReseller,
  type Reseller,
  resellerPatch,
} from '@sightline/contract/resellers'
import { allModules, type Module } from '@sightline/contract/rights'
import { companyProblem, emailProblem, phoneProblem } from '@sightline/contract/user-details'
import { type Rules, SettingSwitch, SwitchGroup, TextField, useForm } from '@sightline/kit'
import { SaveCard, Screen, useApplication, useOptimistic, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { Loaded } from '../shell/Gate.tsx'
import { NotAllowed } from '../shell/NothingHere.tsx'
import { useOwnStaff } from '../shell/own-staff.ts'
import { TimeZoneField } from '../shell/TimeZoneField.tsx'
import { type Text, useText } from '../text.ts'
import { DeleteReseller } from './DeleteReseller.tsx'
import { resellerQuery } from './reseller-queries.ts'

const moduleTexts: Readonly<Record<Module, { readonly label: Text; readonly about: Text }>> = {
  generateAccessToken: {
    label: 'Support sessions',
    about: 'Staff can start support sessions while the account owner allows it.',
  },
  selfServiceManagement: {
    label: 'Self-service',
    about: 'Owners can manage their own subscription if their account allows it.',
  },
  mobileSubscriptions: { label: 'Mobile subscriptions', about: 'SIM cards for cameras on mobile networks.' },
  deviceIO: { label: 'Inputs and outputs', about: 'View camera inputs and switch camera outputs.' },
  bodyCams: { label: 'Body cameras', about: 'Cameras that people wear.' },
  reports: { label: 'Reports', about: 'Camera uptime, storage, user activity and billing for accounts.' },
  whiteLabel: { label: 'Custom branding', about: 'The reseller can change its own logo, colors and links.' },
}

function ModuleSwitches({ reseller, resellerId }: { reseller: Reseller; resellerId: string }) {
  const { client } = useApplication()
  const t = useText()
  const { change, pending } = useOptimistic<Reseller, Partial<Reseller['modules']>>({
    queryKey: resellerQuery(client, resellerId).queryKey,
    apply: (state, modules) => ({ ...state, modules: { ...state.modules, ...modules } }),
    send: async (body) => ({
      ...reseller,
      modules: await client.call(patchModules, { params: { resellerId }, body }),
    }),
  })
  return (
    <SwitchGroup
      title={t('Modules')}
      description={t("Turning off a module takes effect immediately for all of the reseller's accounts.")}
      on={allModules.filter((module) => reseller.modules[module]).length}
      of={allModules.length}
    >
      {allModules.map((module) => (
        <SettingSwitch
          key={module}
          label={t(moduleTexts[module].label)}
          description={t(moduleTexts[module].about)}
          checked={reseller.modules[module]}
          pending={pending.some((one) => one[module] !== undefined)}
          onChange={(on) => change({ [module]: on })}
        />
      ))}
    </SwitchGroup>
  )
}

interface Editable extends Record<string, string> {
  readonly name: string
  readonly contactEmail: string
  readonly phone: string
  readonly timeZone: string
  readonly maxSubUsers: string
}

const MOST = 100_000
const rules: Rules<Editable> = {
  name: (text) => (text.trim() === '' ? 'Name is required' : companyProblem(text)),
  contactEmail: (text) => (text === '' ? undefined : emailProblem(text)),
  phone: phoneProblem,
  maxSubUsers: (text) =>
    /^\d+$/.test(text) && Number(text) <= MOST ? undefined : 'Enter a whole number from 0 to 100000',
}

function Settings({ reseller, resellerId }: { reseller: Reseller; resellerId: string }) {
  const { client, queries } = useApplication()
  const t = useText()
  const save = useSave()
  const { contactDetails, name, timeZone, maxSubUsers } = reseller
  const saved: Editable = {
    name,
    contactEmail: contactDetails.contactEmail ?? '',
    phone: contactDetails.phone ?? '',
    timeZone,
    maxSubUsers: String(maxSubUsers),
  }
  const form = useForm(saved, rules, t.message)
  const change = async (values: Editable) => {
    const differs = (field: string) => values[field] !== saved[field]
    const contact = ['contactEmail', 'phone'].filter(differs).map((field) => [field, values[field] || null])
    const body = z.parse(resellerPatch, {
      ...Object.fromEntries(['name', 'timeZone'].filter(differs).map((field) => [field, values[field]])),
      ...(differs('maxSubUsers') ? { maxSubUsers: Number(values.maxSubUsers) } : {}),
      ...(contact.length === 0 ? {} : { contactDetails: Object.fromEntries(contact) }),
    })
    const outcome = await save(() => client.call(patchReseller, { params: { resellerId }, body }), {
      success: t('Reseller updated'),
      form: {
        fields: ['name', 'contactEmail', 'phone', 'maxSubUsers'],
        fieldOfCode: { 5: 'name' },
        refuse: form.refuse,
      },
    })
    if (!('saved' in outcome)) return
    queries.setQueryData(resellerQuery(client, resellerId).queryKey, outcome.saved)
    void queries.invalidateQueries({ queryKey: ['distributors'] })
  }
  return (
    <SaveCard title={t('General')} form={form} onSave={change}>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField label={t('Name')} autoComplete="off" required {...form.field('name')} />
        <TextField label={t('Email address')} type="email" autoComplete="off" {...form.field('contactEmail')} />
        <TextField label={t('Phone number')} type="tel" autoComplete="off" {...form.field('phone')} />
        <TextField
          label={t('Users per account')}
          hint={t('Not counting the owner')}
          inputMode="numeric"
          autoComplete="off"
          {...form.field('maxSubUsers')}
        />
        <TimeZoneField value={form.values.timeZone} onChange={(zone) => form.choose('timeZone', zone)} />
      </div>
    </SaveCard>
  )
}

/** A distributor's settings for a reseller. */
export function ResellerScreen() {
  const { client } = useApplication()
  const t = useText()
  const own = useOwnStaff()
  const { resellerId } = useParams({ from: '/signed-in/resellers/$resellerId/settings' })
  const query = useQuery(resellerQuery(client, resellerId))
  if (!own.isAtLeast('distributor')) return <NotAllowed />
  return (
    <Screen width="form" title={t('Settings and modules')}>
      <Loaded query={query}>
        {(reseller) => (
          <div className="space-y-6">
            <Settings reseller={reseller} resellerId={resellerId} />
            <ModuleSwitches reseller={reseller} resellerId={resellerId} />
            {own.may(deleteReseller) ? <DeleteReseller reseller={reseller} /> : null}
          </div>
        )}
      </Loaded>
    </Screen>
  )
}
