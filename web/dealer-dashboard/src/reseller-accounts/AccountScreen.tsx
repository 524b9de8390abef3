import {
  type Account,
  deleteResellerAccount,
  getResellerAccount,
  moveAccount,
  patchResellerAccount,
  putZohoId,
} from '@sightline/contract/reseller-accounts'
import { patchSubscription } from '@sightline/contract/subscriptions'
import { Card, type Detail, Details } from '@sightline/kit'
import { Screen, useApplication } from '@sightline/shell'
import { zoneInWords } from '@sightline/shell/time-zones'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { MobileSubscriptionsCard } from '../mobile-subscriptions/index.ts'
import { useMoment } from '../moments.ts'
import { Gate, Loaded } from '../shell/Gate.tsx'
import { isNotFound, NothingHere } from '../shell/NothingHere.tsx'
import { useOwnStaff } from '../shell/own-staff.ts'
import { useText } from '../text.ts'
import { userTypes } from './account-marks.tsx'
import { type AccountIds, accountQueries } from './account-queries.ts'
import { ContactCard } from './ContactCard.tsx'
import { DeleteAccount } from './DeleteAccount.tsx'
import { LimitsCard } from './LimitsCard.tsx'
import { MoveAccount } from './MoveAccount.tsx'
import { StatusCard } from './StatusCard.tsx'
import { SubscriptionCard } from './SubscriptionCard.tsx'
import { SupportCard } from './SupportCard.tsx'
import { UsersCard } from './UsersCard.tsx'
import { ZohoCard } from './ZohoCard.tsx'

function Facts({ account }: { account: Account }) {
  const t = useText()
  const moment = useMoment()
  const { languages } = useApplication()
  const { usage } = account
  const outOf = (used: number, most: number | null) =>
    most === null ? String(used) : t('{used} of {most}', { used, most })
  const language = languages.choices.find(({ code }) => code === account.language)?.name
  const details: readonly Detail[] = [
    { label: t('Owner'), value: <bdi dir="ltr">{account.email ?? '–'}</bdi> },
    { label: t('Type'), value: t(userTypes[account.userType]) },
    { label: t('Users'), value: outOf(usage.subUsers, usage.subUserSlots) },
    { label: t('Cameras'), value: outOf(usage.cameras, usage.cameraSlots) },
    { label: t('Devices'), value: outOf(usage.devices, usage.deviceSlots) },
    { label: t('Time zone'), value: zoneInWords(account.timeZone, languages.current(), new Date()) },
    { label: t('Language'), value: language ?? account.language },
    { label: t('Created'), value: moment(account.createdAt, 'day') },
    { label: t('Account number'), value: account.accountId },
  ]
  return (
    <Card title={t('Overview')}>
      <Details details={details} />
    </Card>
  )
}

function Cards({ account, place }: { account: Account; place: AccountIds }) {
  const own = useOwnStaff()
  return (
    <div className="space-y-6">
      <SupportCard account={account} place={place} />
      <Facts account={account} />
      <StatusCard account={account} place={place} readOnly={!own.may(patchResellerAccount)} />
      <UsersCard account={account} place={place} />
      <SubscriptionCard place={place} account={account} readOnly={!own.may(patchSubscription)} />
      <MobileSubscriptionsCard place={place} />
      <ContactCard account={account} place={place} readOnly={!own.may(patchResellerAccount)} />
      <LimitsCard account={account} place={place} readOnly={!own.may(patchResellerAccount)} />
      {own.may(putZohoId) ? <ZohoCard account={account} place={place} /> : null}
      {own.may(moveAccount) ? <MoveAccount account={account} place={place} /> : null}
      {own.may(deleteResellerAccount) ? <DeleteAccount account={account} place={place} /> : null}
    </div>
  )
}

/** One account, for dealers. */
export function AccountScreen() {
  const { client } = useApplication()
  const t = useText()
  const place = useParams({ from: '/signed-in/resellers/$resellerId/accounts/$accountId' })
  const account = useQuery(accountQueries(client, place).account)
  const back = { href: `/dealer/resellers/${place.resellerId}/accounts`, label: t('All accounts') }
  return (
    <Gate call={getResellerAccount}>
      {isNotFound(account.error) ? (
        <NothingHere title={t("Account not found, or you don't have access to it")} back={back} />
      ) : (
        <Screen width="form" title={account.data?.name ?? t('Account')} back={back}>
          <Loaded query={account}>{(data) => <Cards account={data} place={place} />}</Loaded>
        </Screen>
      )}
    </Gate>
  )
}
