import { getMemberDenyReason } from '@sightline/contract/rights'
import { type AccountUsage, getAccountUsage } from '@sightline/contract/storage-usage'
import { Skeleton, SkeletonGroup, StatTile } from '@sightline/kit'
import { byteSize, LoadFailed, useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useAccount } from '../shell/AccountFirst.tsx'
import { useMoment } from '../support-access/index.ts'
import { subscriptionQueries } from './subscription-queries.ts'
import { useSubscriptionText } from './text.ts'

/** How much of the subscription is used: cameras, users and recordings. Not for people without the right to see it. */
export function UsageTiles() {
  const { client } = useApplication()
  const { member } = useAccount()
  const isAllowed = getMemberDenyReason(getAccountUsage, member) === undefined
  const { data, error, refetch } = useQuery({ ...subscriptionQueries(client).usage, enabled: isAllowed })
  if (!isAllowed) return null
  if (data !== undefined) return <Tiles usage={data} />
  if (error !== null) return <LoadFailed error={error} reset={() => void refetch()} />
  return (
    <SkeletonGroup className={GRID}>
      <Skeleton className="h-28" />
      <Skeleton className="h-28" />
      <Skeleton className="h-28" />
    </SkeletonGroup>
  )
}

const GRID = 'grid gap-3 sm:grid-cols-3 sm:gap-4'

function Tiles({ usage }: { usage: AccountUsage }) {
  const t = useSubscriptionText()
  const moment = useMoment()
  const { languages } = useApplication()
  const { cameras, cameraSlots, users, maxUsers, storageBytes, oldestRecording } = usage
  return (
    <dl className={GRID}>
      <LimitTile label={t('Cameras')} used={cameras} limit={cameraSlots} />
      <LimitTile label={t('Users')} used={users} limit={maxUsers} />
      <StatTile label={t('Recordings')} value={byteSize(storageBytes, languages.current())}>
        {oldestRecording === null ? t('No recordings yet') : t('Oldest: {time}', { time: moment(oldestRecording) })}
      </StatTile>
    </dl>
  )
}

function LimitTile({ label, used, limit }: { label: string; used: number; limit: number | null }) {
  const t = useSubscriptionText()
  const { languages } = useApplication()
  const number = (count: number) => new Intl.NumberFormat(languages.current()).format(count)
  if (limit === null) {
    return (
      <StatTile label={label} value={number(used)}>
        {t('No limit')}
      </StatTile>
    )
  }
  return (
    <StatTile
      label={label}
      value={t('{used} of {limit}', { used: number(used), limit: number(limit) })}
      share={limit === 0 ? 1 : used / limit}
    >
      {used >= limit ? t('Limit reached') : t('{count} left', { count: limit - used })}
    </StatTile>
  )
}
