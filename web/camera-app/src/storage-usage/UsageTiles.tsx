import type { AccountUsage } from '@sightline/contract/storage-usage'
import { Skeleton, SkeletonGroup, StatTile } from '@sightline/kit'
import { byteSize, LoadFailed, useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useMoments } from '../account-time/index.ts'
import { storageQueries } from './storage-queries.ts'
import { useText } from './text.ts'

/** Usage and limit; `most` null means unlimited. */
function LimitTile({ label, count, most, note }: { label: string; count: number; most: number | null; note?: string }) {
  const t = useText()
  const { locale } = useMoments()
  const format = new Intl.NumberFormat(locale)
  const value =
    most === null
      ? format.format(count)
      : t('{count} of {most}', { count: format.format(count), most: format.format(most) })
  const share = most === null ? {} : { share: most === 0 ? 1 : count / most }
  const line = note ?? (most === null ? t('No limit') : undefined)
  return (
    <StatTile label={label} value={value} {...share}>
      {line}
    </StatTile>
  )
}

function Tiles({ usage }: { usage: AccountUsage }) {
  const t = useText()
  const { locale, shortly } = useMoments()
  const { storageBytes, oldestRecording, cameras, cameraSlots, devices, deviceSlots, users, maxUsers } = usage
  return (
    <dl className="grid grid-cols-2 gap-3 sm:gap-4 xl:grid-cols-4">
      <StatTile label={t('Storage used')} value={byteSize(storageBytes, locale)}>
        {oldestRecording === null ? t('No recordings yet') : t('Oldest: {time}', { time: shortly(oldestRecording) })}
      </StatTile>
      <LimitTile label={t('Cameras')} count={cameras} most={cameraSlots} />
      {devices === 0 && deviceSlots === null ? null : (
        <LimitTile label={t('Devices')} count={devices} most={deviceSlots} />
      )}
      <LimitTile label={t('Users')} count={users} most={maxUsers} note={t('Not counting the owner')} />
    </dl>
  )
}

/** The account's usage and limits. */
export function UsageTiles() {
  const { client } = useApplication()
  const { data, error, refetch } = useQuery(storageQueries(client).usage)
  if (data !== undefined) return <Tiles usage={data} />
  if (error !== null) return <LoadFailed error={error} reset={() => void refetch()} />
  return (
    <SkeletonGroup className="grid grid-cols-2 gap-3 sm:gap-4 xl:grid-cols-4">
      <Skeleton className="h-28" />
      <Skeleton className="h-28" />
      <Skeleton className="h-28" />
      <Skeleton className="h-28" />
    </SkeletonGroup>
  )
}
