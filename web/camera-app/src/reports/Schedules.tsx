import { deleteReportSchedule, MAX_REPORT_SCHEDULES, type ReportSchedule } from '@sightline/contract/reports'
import { Badge, Button, Card, Icon, Skeleton, SkeletonGroup } from '@sightline/kit'
import { LoadFailed, useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMoments } from '../account-time/index.ts'
import type { OwnPermissions } from '../rights/index.ts'
import { EndSchedule } from './EndSchedule.tsx'
import { reportQueries } from './report-queries.ts'
import { recurrenceLabels, reportTitle } from './report-words.ts'
import { useText } from './text.ts'

function Schedule({ schedule, onEnd }: { schedule: ReportSchedule; onEnd: (() => void) | undefined }) {
  const t = useText()
  const { shortly } = useMoments()
  const { type, format, every, at, nextAt } = schedule
  const title = t(reportTitle(type))
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <Icon name="clock" className="text-muted" />
      <div className="min-w-48 flex-1">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {title}
          <Badge>{format.toUpperCase()}</Badge>
        </p>
        <p className="mt-0.5 text-muted">{t(recurrenceLabels[every], { time: at })}</p>
        <p className="text-muted">{t('Next report: {time}', { time: shortly(nextAt) })}</p>
      </div>
      {onEnd === undefined ? null : (
        <Button variant="secondary" onClick={onEnd} aria-label={t('Delete schedule for “{report}”', { report: title })}>
          {t('Delete schedule')}
        </Button>
      )}
    </li>
  )
}

const byNext = (schedules: readonly ReportSchedule[]): readonly ReportSchedule[] =>
  schedules.toSorted((a, b) => Date.parse(a.nextAt) - Date.parse(b.nextAt))

/** The report schedules, each with its next run. */
export function Schedules({ own }: { own: OwnPermissions }) {
  const t = useText()
  const { client } = useApplication()
  const [ending, setEnding] = useState<ReportSchedule>()
  const { data: schedules, error, refetch } = useQuery(reportQueries(client).schedules)
  const mayEnd = own.may(deleteReportSchedule)
  return (
    <Card
      className="mt-6"
      title={t('Scheduled reports')}
      description={t('Up to {count} schedules. You get an email with a link to each report.', {
        count: MAX_REPORT_SCHEDULES,
      })}
    >
      {schedules === undefined ? <NotYet error={error} again={() => void refetch()} /> : null}
      {schedules?.length === 0 ? (
        <p className="text-muted">
          {t('No schedules yet. To add one, create a report and choose how often to repeat it.')}
        </p>
      ) : null}
      <ul className="divide-y divide-border">
        {byNext(schedules ?? []).map((schedule) => (
          <Schedule
            key={schedule.reportScheduleId}
            schedule={schedule}
            onEnd={mayEnd ? () => setEnding(schedule) : undefined}
          />
        ))}
      </ul>
      <EndSchedule schedule={ending} onClose={() => setEnding(undefined)} />
    </Card>
  )
}

function NotYet({ error, again }: { error: Error | null; again: () => void }) {
  if (error !== null) return <LoadFailed error={error} reset={again} />
  return (
    <SkeletonGroup>
      <Skeleton className="h-14 w-full" />
    </SkeletonGroup>
  )
}
