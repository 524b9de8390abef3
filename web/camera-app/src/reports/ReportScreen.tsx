import { ApiFailure } from '@sightline/client'
import { deleteReportSchedule, type Report } from '@sightline/contract/reports'
import { Button, buttonClass, EmptyState, Skeleton, SkeletonGroup } from '@sightline/kit'
import { LoadFailed, Screen, useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useMoments } from '../account-time/index.ts'
import { useOwnPermissions } from '../rights/index.ts'
import { EndSchedule } from './EndSchedule.tsx'
import { reportQueries, useDownload } from './report-queries.ts'
import { reportTitle } from './report-words.ts'
import { useText } from './text.ts'

const REPORT_IS_GONE = 404
const NOT_THEIRS = 403

/** The page that an email about a report links to: the report, its file, and a button to end its schedule. */
export function ReportScreen() {
  const t = useText()
  const { reportId = '' } = useParams({ strict: false })
  const { client } = useApplication()
  const { data, error, refetch } = useQuery(reportQueries(client).one(reportId))
  return (
    <Screen title={t('Report')} width="form" back={{ href: '/app/reports', label: t('All reports') }}>
      {data === undefined ? <NotThere error={error} again={() => void refetch()} /> : <OneReport report={data} />}
    </Screen>
  )
}

function NotThere({ error, again }: { error: Error | null; again: () => void }) {
  const t = useText()
  const status = error instanceof ApiFailure ? error.status : undefined
  if (status === NOT_THEIRS) return <EmptyState icon="lock" title={t('Only the account owner can view reports')} />
  if (status === REPORT_IS_GONE) {
    return (
      <EmptyState
        icon="list"
        title={t('Report not found')}
        action={
          <a data-here href="/app/reports" className={buttonClass()}>
            {t('All reports')}
          </a>
        }
      >
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
  const own = useOwnPermissions()
  const { shortly, days } = useMoments()
  const fetchFile = useDownload()
  const [busy, setBusy] = useState(false)
  const [asking, setAsking] = useState(false)
  const [isEnded, setEnded] = useState(false)
  const { type, from, till, format, expiresAt, reportScheduleId } = report
  const mayEnd = reportScheduleId !== null && !isEnded && own.data?.may(deleteReportSchedule) === true
  const get = async () => {
    setBusy(true)
    await fetchFile(report)
    setBusy(false)
  }
  return (
    <>
      <EmptyState
        icon="chart"
        title={t(reportTitle(type))}
        action={
          <div className="flex flex-wrap justify-center gap-3">
            <Button icon="download" busy={busy} onClick={() => void get()}>
              {`${t('Download')} (${format.toUpperCase()})`}
            </Button>
            {mayEnd ? (
              <Button variant="secondary" onClick={() => setAsking(true)}>
                {t('Delete schedule')}
              </Button>
            ) : null}
          </div>
        }
      >
        <span className="block">{days(from, till)}</span>
        <span className="block">{t('Available until {time}', { time: shortly(expiresAt) })}</span>
        {mayEnd ? <span className="block">{t('Created automatically')}</span> : null}
      </EmptyState>
      <EndSchedule
        schedule={asking && reportScheduleId !== null ? { reportScheduleId, type } : undefined}
        onClose={() => setAsking(false)}
        onEnded={() => setEnded(true)}
      />
    </>
  )
}
