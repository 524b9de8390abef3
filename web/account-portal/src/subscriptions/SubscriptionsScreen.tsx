import { getMemberDenyReason, type Member } from '@sightline/contract/rights'
import {
  type AccountSubscription,
  patchSubscription,
  type SubscriptionPackage,
} from '@sightline/contract/subscriptions'
import { Card, Notice, ScreenTitle, Skeleton, SkeletonGroup } from '@sightline/kit'
import { accountQueries, Loaded, useApplication, usePageTitle } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAccount } from '../shell/AccountFirst.tsx'
import { ActionsMenu } from './ActionsMenu.tsx'
import { ChooserCard } from './ChooserCard.tsx'
import { CurrentCard } from './CurrentCard.tsx'
import { localToday } from './chooser.ts'
import { ProlongedCard } from './ProlongedCard.tsx'
import { subscriptionQueries } from './subscription-queries.ts'
import { type SubscriptionText, useSubscriptionText } from './text.ts'
import { UsageTiles } from './UsageTiles.tsx'

function Loading() {
  return (
    <SkeletonGroup>
      <Card>
        <Skeleton className="h-5 w-48" />
        <Skeleton className="mt-2 h-4 w-64 max-w-full" />
        <div className="mt-6 grid gap-x-6 gap-y-4 sm:grid-cols-2">
          {['days', 'quality', 'cameras', 'start', 'end', 'sku'].map((field) => (
            <div key={field}>
              <Skeleton className="h-3 w-24" />
              <Skeleton className="mt-1.5 h-5 w-40" />
            </div>
          ))}
        </div>
      </Card>
    </SkeletonGroup>
  )
}

/** Why the subscription can't be changed, in one sentence. */
const standstills: Readonly<Record<string, SubscriptionText>> = {
  demoUser: "You're signed in as a demo user. You can see everything, but you can't change anything.",
  support: "During a support session, you can't change the subscription.",
  account: 'You can change the subscription only while the account is active.',
  trial: 'To continue after your trial, contact your provider to choose a subscription.',
}

/** Disabled for trial and demo accounts (specification §4) and for accounts that aren't active. */
function standstillOf(member: Member): string | undefined {
  const denied = getMemberDenyReason(patchSubscription, member)?.check
  return denied ?? (member.userType === 'trial' ? 'trial' : undefined)
}

interface Known {
  current: AccountSubscription | null
  packages: readonly SubscriptionPackage[]
  timeZone: string
}

function Cards({ current, packages, timeZone }: Known) {
  const t = useSubscriptionText()
  const { member } = useAccount()
  const [isEditing, edit] = useState(false)
  const standstill = standstillOf(member)
  const why = standstills[standstill ?? '']
  const today = localToday(timeZone, Date.now())
  const isOver = current !== null && current.endDate < today
  const mayChange = standstill === undefined
  return (
    <div className="space-y-6">
      {why === undefined ? null : <Notice>{t(why)}</Notice>}
      <UsageTiles />
      <CurrentCard
        current={current}
        today={today}
        isOver={isOver}
        menu={
          mayChange && !isEditing ? (
            <ActionsMenu current={current} isOver={isOver} onEdit={() => edit(true)} />
          ) : undefined
        }
      />
      {mayChange && isEditing ? (
        <ChooserCard current={current} packages={packages} isOver={isOver} onClose={() => edit(false)} />
      ) : null}
      {current === null ? null : <ProlongedCard current={current} packages={packages} isOver={isOver} />}
    </div>
  )
}

/** The account's subscription, what happens next, and a change (specification §2, §4). */
export function SubscriptionsScreen() {
  const t = useSubscriptionText()
  const { client } = useApplication()
  const { current, packages } = subscriptionQueries(client)
  usePageTitle(t('Subscriptions'))
  return (
    <div className="max-w-3xl">
      <ScreenTitle title={t('Subscriptions')}>
        {t('Your current subscription, when it ends and what happens next.')}
      </ScreenTitle>
      <Loaded
        asked={[useQuery(current), useQuery(packages), useQuery(accountQueries(client).timeZone)]}
        place={<Loading />}
      >
        {(known, offered, zone) => <Cards current={known} packages={offered} timeZone={zone.timeZone} />}
      </Loaded>
    </div>
  )
}
