import { getStorageUsage, MAX_STORAGE_DAYS, type StorageUsage } from '@sightline/contract/storage-usage'
import { Card, type DayRange, EmptyState, isBackwards, Notice, Skeleton, SkeletonGroup } from '@sightline/kit'
import { byteSize, LoadFailed, Screen, useApplication } from '@sightline/shell'
import { addDays } from '@sightline/shell/local-day'
import { useQuery } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useMoments } from '../account-time/index.ts'
import { DayFilter } from '../day-filter/index.ts'
import { Gate, useOwnPermissions } from '../rights/index.ts'
import { CameraTable } from './CameraTable.tsx'
import { DaysPlot } from './DaysPlot.tsx'
import { DaysTable } from './DaysTable.tsx'
import { storageQueries } from './storage-queries.ts'
import { useText } from './text.ts'
import { UsageTiles } from './UsageTiles.tsx'

/** Whether the server supports these days. */
const isTooLong = ({ from, till }: DayRange): boolean => from !== '' && till > addDays(from, MAX_STORAGE_DAYS - 1)

function ByDay({ storage, onChange }: { storage: StorageUsage; onChange: (days: DayRange) => void }) {
  const t = useText()
  const { locale, day } = useMoments()
  const { from, till, days, bytes } = storage
  return (
    <Card
      className="my-6"
      title={t('By day')}
      description={t('Recordings from {from} to {till}: {size}', {
        size: byteSize(bytes, locale),
        from: day(from),
        till: day(till),
      })}
    >
      <div className="mb-4">
        <DayFilter days={{ from, till }} onChange={(next) => onChange(forwards(next, { from, till }))} />
      </div>
      {bytes === 0 ? (
        <EmptyState icon="film" title={t('No recordings for these dates')} />
      ) : (
        <>
          <DaysPlot key={`${from} ${till}`} days={days} />
          <DaysTable days={days} />
        </>
      )}
    </Card>
  )
}

/** If one end passes the other, the range becomes that single day. */
const forwards = (next: DayRange, before: DayRange): DayRange => {
  if (!isBackwards(next)) return next
  const day = next.from === before.from ? next.till : next.from
  return { from: day, till: day }
}

/** The days in the address, and a function to change them. Incomplete ranges are not requested. */
function useDays() {
  const router = useRouter()
  const search = useSearch({ from: '/signed-in/storage' })
  const change = ({ from, till }: DayRange) => {
    if (from === '' || till === '') return
    void router.navigate({ to: '/storage', search: { from, till }, replace: true, resetScroll: false })
  }
  return { search, change }
}

function Storage() {
  const t = useText()
  const { client } = useApplication()
  const { search, change } = useDays()
  const tooLong = isTooLong({ from: search.from ?? '', till: search.till ?? '' })
  const { data, error, refetch } = useQuery({ ...storageQueries(client).storage(search), enabled: !tooLong })
  return (
    <>
      <UsageTiles />
      {tooLong ? (
        <div className="mt-6">
          <Notice mood="warning">{t('You can view up to two years at a time. Choose fewer days.')}</Notice>
        </div>
      ) : null}
      {error !== null && !tooLong ? <LoadFailed error={error} reset={() => void refetch()} /> : null}
      {data === undefined && error === null && !tooLong ? <Loading /> : null}
      {data === undefined || (error !== null && !tooLong) ? null : (
        <>
          <ByDay storage={data} onChange={change} />
          <h2 className="mb-3 text-base font-semibold">{t('By camera')}</h2>
          <CameraTable storage={data} />
        </>
      )}
    </>
  )
}

/** The account's usage and limits, and the storage of its footage. */
export function StorageScreen() {
  const t = useText()
  const own = useOwnPermissions()
  return (
    <Screen
      width="table"
      title={t('Storage')}
      description={t('See how much storage your recordings use, and how many cameras and users you have.')}
    >
      <Gate
        own={own}
        needs={getStorageUsage}
        loading={<Loading />}
        instead={
          <EmptyState icon="lock" title={t("You can't view storage usage")}>
            {t('Ask the account owner for the “Storage usage” right.')}
          </EmptyState>
        }
      >
        {() => <Storage />}
      </Gate>
    </Screen>
  )
}

function Loading() {
  return (
    <SkeletonGroup className="mt-6 space-y-6">
      <Skeleton className="h-72 w-full" />
      <Skeleton className="h-48 w-full" />
    </SkeletonGroup>
  )
}
