import { addReport, getReports, MAX_REPORTS, type Report } from '@sightline/contract/reports'
import { Badge, Button, EmptyState, Icon, Skeleton, SkeletonGroup } from '@sightline/kit'
import { type Column, DataTable, timeWidths, useRowsInHand, useRowsPerPage } from '@sightline/kit/table'
import { LoadFailed, Screen, useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useMoments } from '../account-time/index.ts'
import { Gate, type OwnPermissions, ReadOnly, useOwnPermissions, useReadOnlyReason } from '../rights/index.ts'
import { NewReport } from './NewReport.tsx'
import { reportQueries, useDownload } from './report-queries.ts'
import { reportTitle } from './report-words.ts'
import { Schedules } from './Schedules.tsx'
import { useText } from './text.ts'

function File({ report, name }: { report: Report; name: string }) {
  const t = useText()
  const fetchFile = useDownload()
  const [busy, setBusy] = useState(false)
  const format = report.format.toUpperCase()
  return (
    <Button
      variant="quiet"
      icon="download"
      busy={busy}
      className="-mx-4"
      aria-label={`${format}: ${t('Download {report}', { report: name })}`}
      onClick={() => {
        setBusy(true)
        void fetchFile(report).finally(() => setBusy(false))
      }}
    >
      {format}
    </Button>
  )
}

function useColumns(): readonly Column<Report>[] {
  const t = useText()
  const moments = useMoments()
  return useMemo(
    () => [
      {
        key: 'type',
        header: t('Report'),
        sortBy: ({ type }) => t(reportTitle(type)),
        cell: ({ type }) => t(reportTitle(type)),
      },
      {
        key: 'days',
        header: t('Dates'),
        width: '12rem',
        sortBy: ({ from }) => from,
        cell: ({ from, till }) => moments.days(from, till),
      },
      {
        key: 'state',
        header: t('Status'),
        width: '8.5rem',
        cell: ({ reportScheduleId }) => (
          <span className="inline-flex flex-wrap items-center gap-1.5">
            <Badge mood="success">{t('Ready')}</Badge>
            {reportScheduleId === null ? null : (
              <span className="inline-flex items-center gap-1 text-xs text-muted">
                <Icon name="clock" size={14} />
                {t('scheduled')}
              </span>
            )}
          </span>
        ),
      },
      {
        key: 'createdAt',
        header: t('Created'),
        width: timeWidths.minute,
        minor: true,
        sortBy: ({ createdAt }) => createdAt,
        searchText: false,
        cell: ({ createdAt }) => moments.shortly(createdAt),
      },
      {
        key: 'expiresAt',
        header: t('Available until'),
        width: '11rem',
        sortBy: ({ expiresAt }) => expiresAt,
        searchText: false,
        cell: ({ expiresAt }) => moments.shortly(expiresAt),
      },
      {
        key: 'file',
        header: t('File'),
        width: '7rem',
        cell: (report) => (
          <File report={report} name={`${t(reportTitle(report.type))}, ${moments.days(report.from, report.till)}`} />
        ),
      },
    ],
    [t, moments],
  )
}

function ReportTable({ onAdd }: { onAdd: (() => void) | undefined }) {
  const t = useText()
  const { client } = useApplication()
  const columns = useColumns()
  const [rowsPerPage, onRowsPerPage] = useRowsPerPage('reports')
  const { data: reports, error, refetch } = useQuery(reportQueries(client).list)
  const view = useRowsInHand({
    rows: reports,
    columns,
    rowsPerPage,
    onRowsPerPage,
    firstSort: { column: 'createdAt', descending: true },
  })
  return (
    <DataTable
      label={t('Reports')}
      columns={columns}
      view={view}
      rowKey={({ reportId }) => reportId}
      rowName={({ type }) => t(reportTitle(type))}
      rowHref={({ reportId }) => `/app/reports/${reportId}`}
      empty={
        <EmptyState
          icon="chart"
          title={t('No reports yet')}
          action={
            onAdd === undefined ? undefined : (
              <Button icon="plus" onClick={onAdd}>
                {t('New report')}
              </Button>
            )
          }
        >
          {t("Create a report on camera uptime, storage or user activity. It's ready in seconds and kept for 7 days.")}
        </EmptyState>
      }
      failed={
        error !== null && reports === undefined ? <LoadFailed error={error} reset={() => void refetch()} /> : undefined
      }
    />
  )
}

/** The reports of the account and their schedules, for its owner only. */
export function ReportsScreen() {
  const t = useText()
  const own = useOwnPermissions()
  const standstill = useReadOnlyReason(own.data)
  const [adding, setAdding] = useState(false)
  const onAdd = own.data?.may(addReport) === true ? () => setAdding(true) : undefined
  return (
    <Screen
      width="table"
      title={t('Reports')}
      description={t('See daily camera uptime, storage and user activity.')}
      actions={
        onAdd === undefined ? undefined : (
          <Button icon="plus" onClick={onAdd}>
            {t('New report')}
          </Button>
        )
      }
    >
      <Gate own={own} needs={getReports} loading={<Loading />} instead={<NotForYou own={own.data} />}>
        {(standing) => (
          <>
            <ReadOnly id="reports-fixed">{onAdd === undefined ? standstill : undefined}</ReadOnly>
            <ReportTable onAdd={onAdd} />
            <p className="mt-3 text-xs text-muted">
              {t('The newest {count} reports are kept, each for 7 days.', { count: MAX_REPORTS })}
            </p>
            <Schedules own={standing} />
            <NewReport open={adding} onClose={() => setAdding(false)} />
          </>
        )}
      </Gate>
    </Screen>
  )
}

function NotForYou({ own }: { own: OwnPermissions | undefined }) {
  const t = useText()
  return (
    <EmptyState icon="lock" title={t('Only the account owner can view reports')}>
      {own?.standstill === 'support'
        ? t("You can't view or create reports during a support session.")
        : t('If you need a report, ask the account owner.')}
    </EmptyState>
  )
}

function Loading() {
  return (
    <SkeletonGroup>
      <Skeleton className="h-64 w-full" />
    </SkeletonGroup>
  )
}
