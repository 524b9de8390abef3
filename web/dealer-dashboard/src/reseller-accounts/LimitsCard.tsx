import type { Account, AccountPatch } from '@sightline/contract/reseller-accounts'
import { patchResellerAccount } from '@sightline/contract/reseller-accounts'
import { type Rules, SettingSwitch, TextField, useForm } from '@sightline/kit'
import { SaveCard, useApplication, useOptimistic } from '@sightline/shell'
import { useText } from '../text.ts'
import { type AccountIds, accountQueries } from './account-queries.ts'
import { useAccountChange } from './use-account-change.ts'

type Limit = 'maxSubUsers' | 'maxCameras' | 'maxDevices'
/** Empty: the limit of the reseller or the package. */
type Limits = Record<string, string> & Readonly<Record<Limit, string>>

const MOST = 100_000
const limitProblem = (text: string) =>
  text === '' || (/^\d+$/.test(text) && Number(text) <= MOST)
    ? undefined
    : 'Enter a whole number from 0 to 100000, or leave this empty'
const rules: Rules<Limits> = { maxSubUsers: limitProblem, maxCameras: limitProblem, maxDevices: limitProblem }
const limits: readonly Limit[] = ['maxSubUsers', 'maxCameras', 'maxDevices']
const numberOf = (text: string): number | null => (text === '' ? null : Number(text))
const textOf = (limit: number | null): string => (limit === null ? '' : String(limit))

interface LimitsCardProps {
  account: Account
  place: AccountIds
  readOnly: boolean
}

/** Switches for the whole account. */
type Flags = Pick<Account['featureFlags'], 'userSelfServiceManagement' | 'preventEditUserDetails'> &
  Pick<Account, 'subUsersBarred'>

const patchOf = ({ subUsersBarred, ...featureFlags }: Partial<Flags>): AccountPatch => ({
  ...(subUsersBarred === undefined ? {} : { subUsersBarred }),
  ...(Object.keys(featureFlags).length === 0 ? {} : { featureFlags }),
})

function FlagSwitches({ account, place, readOnly }: LimitsCardProps) {
  const { client } = useApplication()
  const t = useText()
  const { change } = useOptimistic<Account, Partial<Flags>>({
    queryKey: accountQueries(client, place).account.queryKey,
    apply: (state, { subUsersBarred = state.subUsersBarred, ...flags }) => ({
      ...state,
      subUsersBarred,
      featureFlags: { ...state.featureFlags, ...flags },
    }),
    send: (flags) => client.call(patchResellerAccount, { params: place, body: patchOf(flags) }),
  })
  const fixed = readOnly ? { fixed: t("You don't have permission to edit accounts.") } : {}
  const { featureFlags, subUsersBarred } = account
  return (
    <div className="divide-y divide-border border-t border-border pt-2">
      <SettingSwitch
        label={t('Let the owner manage the subscription')}
        checked={featureFlags.userSelfServiceManagement}
        onChange={(on) => change({ userSelfServiceManagement: on })}
        {...fixed}
      />
      <SettingSwitch
        label={t('Prevent users from editing their details')}
        checked={featureFlags.preventEditUserDetails}
        onChange={(on) => change({ preventEditUserDetails: on })}
        {...fixed}
      />
      <SettingSwitch
        label={t('Block everyone except the owner from the Web App')}
        checked={subUsersBarred}
        onChange={(on) => change({ subUsersBarred: on })}
        {...fixed}
      />
    </div>
  )
}

/** The account's limits, and what it may manage itself. */
export function LimitsCard(props: LimitsCardProps) {
  const { account, place, readOnly } = props
  const t = useText()
  const change = useAccountChange(place)
  const saved: Limits = {
    maxSubUsers: textOf(account.maxSubUsers),
    maxCameras: textOf(account.maxCameras),
    maxDevices: textOf(account.maxDevices),
  }
  const form = useForm(saved, rules, t.message)
  const save = async (values: Limits) => {
    const changed = limits.filter((limit) => values[limit] !== saved[limit])
    const body = Object.fromEntries(changed.map((limit) => [limit, numberOf(values[limit])]))
    await change(body, { success: t('Account updated'), form: { fields: limits, refuse: form.refuse } })
  }
  const number = { inputMode: 'numeric' as const, autoComplete: 'off', disabled: readOnly }
  return (
    <SaveCard
      title={t('Limits and options')}
      description={t(
        "If a field is empty, the subscription or the reseller sets the limit. A limit can't be lower than current usage.",
      )}
      form={form}
      onSave={save}
      readOnly={readOnly}
    >
      <div className="mb-5 grid items-start gap-4 sm:grid-cols-3">
        <TextField label={t('Users')} hint={t('Not counting the owner')} {...number} {...form.field('maxSubUsers')} />
        <TextField label={t('Cameras')} {...number} {...form.field('maxCameras')} />
        <TextField label={t('Devices')} {...number} {...form.field('maxDevices')} />
      </div>
      <FlagSwitches {...props} />
    </SaveCard>
  )
}
