import { ApiFailure } from '@sightline/client'
import { deleteReportSchedule, getReport, getReportFile, type Report } from '@sightline/contract/reports'
import { Button, EmptyState, Skeleton, SkeletonGroup } from '@sightline/kit'
import { LoadFailed, Screen, useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { download } from '../download.ts'
import { localeOf } from '../locale.ts'
import { useOwnStanding } from '../rights/index.ts'
import { type Text, useText } from './text.ts'

const titles: Readonly<Partial<Record<Report['type'], Text>>> = {
  cameraUptime: 'Uptime of cameras',
  storageUsage: 'Storage',
  userActivity: 'Activity of people',
}

const REPORT_IS_GONE = 404
const NOT_THEIRS = 403

/** Where the link of a mail about a report leads: what it is, the file, and the end of its schedule. */
export function ReportScreen() {
  const t = useText()
  const { reportId = '' } = useParams({ strict: false })
  const { client } = useApplication()
  const { data, error, refetch } = useQuery({
    queryKey: ['reports', reportId],
    queryFn: ({ signal }) => client.call(getReport, { params: { reportId } }, { signal }),
  })
  return (
    <Screen title={t('Report')} width="form">
      {data === undefined ? <NotThere error={error} again={() => void refetch()} /> : <OneReport report={data} />}
    </Screen>
  )
}

function NotThere({ error, again }: { error: Error | null; again: () => void }) {
  const t = useText()
  const status = error instanceof ApiFailure ? error.status : undefined
  if (status === NOT_THEIRS) return <EmptyState icon="lock" title={t('Only the account owner has reports')} />
  if (status === REPORT_IS_GONE) {
    return (
      <EmptyState icon="list" title={t('There is no such report')}>
        {t('Reports are kept for 7 days.')}
      </EmptyState>
    )
  }
  if (error !== null) return <LoadFailed error={error} reset={again} />
  return (
    <SkeletonGroup>
      <Skeleton className="mx-auto my-12 h-40 max-w-md" />
    </SkeletonGroup>
  )
}

function OneReport({ report }: { report: Report }) {
  const t = useText()
  const { client, languages } = useApplication()
  const save = useSave()
  const own = useOwnStanding()
  const [isEnded, setEnded] = useState(false)
  const { reportId, type, from, till, format, expiresAt, reportScheduleId } = report
  const locale = localeOf(languages.current())
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const days = [...new Set([from, till])].map((text) => day.format(new Date(`${text}T00:00:00Z`))).join(' – ')
  const kept = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(expiresAt))
  const fetchFile = async () => {
    const done = await save(() => client.blob(getReportFile, { params: { reportId } }))
    if ('saved' in done) download(done.saved, `${type}-${from}-${till}.${format}`)
  }
  const end = async () => {
    if (reportScheduleId === null) return
    const done = await save(() => client.call(deleteReportSchedule, { params: { reportScheduleId } }), {
      success: t('It is not made by itself any more'),
    })
    if ('saved' in done) setEnded(true)
  }
  const mayEnd = reportScheduleId !== null && !isEnded && own.data?.may(deleteReportSchedule) === true
  return (
    <EmptyState
      icon="list"
      title={t(titles[type] ?? 'Report')}
      action={
        <div className="flex flex-wrap justify-center gap-3">
          <Button icon="download" onClick={() => void fetchFile()}>
            {`${t('Download')} (${format.toUpperCase()})`}
          </Button>
          {mayEnd ? (
            <Button variant="secondary" onClick={() => void end()}>
              {t('Do not make it by itself any more')}
            </Button>
          ) : null}
        </div>
      }
    >
      <span className="block">{days}</span>
      <span className="block">{t('It is kept until {time}.', { time: kept })}</span>
      {mayEnd ? <span className="block">{t('It is made by itself.')}</span> : null}
    </EmptyState>
  )
}
