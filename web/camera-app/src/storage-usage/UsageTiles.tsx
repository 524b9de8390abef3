import type { AccountUsage } from '@sightline/contract/storage-usage'
import { ProgressBar, Skeleton, SkeletonGroup } from '@sightline/kit'
import { byteSize, LoadFailed, useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useMoments } from '../account-time/index.ts'
import { storageQueries } from './storage-queries.ts'
import { useText } from './text.ts'

interface TileProps {
  label: string
  value: string
  children: ReactNode
}

function Tile({ label, value, children }: TileProps) {
  return (
    <div className="rounded-lg border border-border bg-surface px-4 py-4 shadow-card sm:px-5">
      <dt className="text-muted">{label}</dt>
      <dd>
        <p className="mt-1 text-xl font-semibold tabular-nums">
          <bdi>{value}</bdi>
        </p>
        <div className="mt-1 text-xs text-muted">{children}</div>
      </dd>
    </div>
  )
}

/** Usage and limit; `most` null means unlimited. */
function Places({ label, count, most, note }: { label: string; count: number; most: number | null; note?: string }) {
  const t = useText()
  const { locale } = useMoments()
  const format = new Intl.NumberFormat(locale)
  const value =
    most === null
      ? format.format(count)
      : t('{count} of {most}', { count: format.format(count), most: format.format(most) })
  return (
    <Tile label={label} value={value}>
      {most === null ? t('No limit') : <ProgressBar label={label} value={most === 0 ? 1 : Math.min(1, count / most)} />}
      {note === undefined ? null : <p className="mt-1.5">{note}</p>}
    </Tile>
  )
}

function Tiles({ usage }: { usage: AccountUsage }) {
  const t = useText()
  const { locale, shortly } = useMoments()
  const { storageBytes, oldestRecording, cameras, cameraSlots, devices, deviceSlots, users, maxUsers } = usage
  return (
    <dl className="grid grid-cols-2 gap-3 sm:gap-4 xl:grid-cols-4">
      <Tile label={t('Storage used')} value={byteSize(storageBytes, locale)}>
        {oldestRecording === null ? t('No recordings yet') : t('Oldest: {time}', { time: shortly(oldestRecording) })}
      </Tile>
      <Places label={t('Cameras')} count={cameras} most={cameraSlots} />
      {devices === 0 && deviceSlots === null ? null : (
        <Places label={t('Devices')} count={devices} most={deviceSlots} />
      )}
      <Places label={t('Users')} count={users} most={maxUsers} note={t('Not counting the owner')} />
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
    </SkeletonGroup>
  )
}
