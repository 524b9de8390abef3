import { ApiFailure } from '@sightline/client'
import type { Account } from '@sightline/contract/reseller-accounts'
import { type AccountSubscription, patchSubscription } from '@sightline/contract/subscriptions'
import { Button, Card, Details, type Form, FormCard, Select, useForm } from '@sightline/kit'
import { LoadFailed, UnsavedChanges, useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useMoment } from '../moments.ts'
import { useText } from '../text.ts'
import { type AccountIds, accountQueries, refetchAccount } from './account-queries.ts'

/** The server's value for "no next subscription". */
const NONE = -1

function Present({ present }: { present: AccountSubscription }) {
  const t = useText()
  const moment = useMoment()
  const day = (date: string) => moment(`${date}T12:00:00Z`, 'day')
  const goesOn = present.nextSubscriptionPackageId !== NONE
  return (
    <Details
      details={[
        { label: t('Package'), value: present.name },
        { label: t('Started on'), value: day(present.startDate) },
        { label: t(goesOn ? 'Renews after' : 'Ends on'), value: day(present.endDate) },
        { label: t('Contract period'), value: t('{count} months', { count: present.contractPeriod }) },
      ]}
    />
  )
}

interface PackageChoiceProps {
  form: Form<{ readonly packageId: string }>
  account: Account
  place: AccountIds
  /** There is no subscription yet. */
  hasNone: boolean
}

function PackageChoice({ form, account, place, hasNone }: PackageChoiceProps) {
  const { client } = useApplication()
  const t = useText()
  const { data: choices = [] } = useQuery(accountQueries(client, place).packages)
  const isActive = account.status === 'active'
  return (
    <Select
      label={t('Choose a package')}
      hint={t(
        isActive
          ? 'Upgrades apply immediately. Other changes apply at the end of the current period.'
          : 'You can change the subscription only while the account is active.',
      )}
      value={form.values.packageId}
      disabled={!isActive}
      onChange={(event) => form.choose('packageId', event.target.value)}
    >
      {hasNone ? <option value="">{t('None yet')}</option> : null}
      {choices.map((one) => (
        <option key={one.subscriptionPackageId} value={one.subscriptionPackageId}>
          {one.name}
        </option>
      ))}
      {hasNone ? null : <option value={NONE}>{t("Don't renew")}</option>}
    </Select>
  )
}

interface SubscriptionCardProps {
  account: Account
  place: AccountIds
  readOnly: boolean
}

/** The account's package, and a way to change it. */
export function SubscriptionCard({ account, place, readOnly }: SubscriptionCardProps) {
  const { client, queries } = useApplication()
  const t = useText()
  const save = useSave()
  const { subscription } = accountQueries(client, place)
  const present = useQuery(subscription)
  const hasNone = present.error instanceof ApiFailure && present.error.status === 404
  const now = present.data?.nextSubscriptionPackageId
  const form = useForm({ packageId: now === undefined ? '' : String(now) }, {}, t.message)
  if (present.error !== null && present.data === undefined && !hasNone) {
    return (
      <Card title={t('Subscription')}>
        <LoadFailed error={present.error} reset={() => void present.refetch()} />
      </Card>
    )
  }
  const choose = async ({ packageId }: { packageId: string }) => {
    const body =
      Number(packageId) === NONE
        ? { nextSubscriptionPackageId: NONE as -1 }
        : { subscriptionPackageId: Number(packageId) }
    const outcome = await save(() => client.call(patchSubscription, { params: place, body }), {
      success: t('Subscription updated'),
    })
    if ('saved' in outcome) refetchAccount(queries, place)
  }
  const fixed = readOnly || account.status !== 'active'
  return (
    <FormCard
      title={t('Subscription')}
      {...(hasNone ? { description: t("This account doesn't have a subscription yet.") } : {})}
      onSubmit={form.submit(choose)}
      footer={
        fixed ? undefined : (
          <Button type="submit" busy={form.busy} disabled={!form.changed || form.values.packageId === ''}>
            {t('Change subscription')}
          </Button>
        )
      }
    >
      <div className="space-y-5">
        {present.data === undefined ? null : <Present present={present.data} />}
        {readOnly ? null : <PackageChoice form={form} account={account} place={place} hasNone={hasNone} />}
      </div>
      <UnsavedChanges changed={form.changed} onDiscard={form.reset} />
    </FormCard>
  )
}
