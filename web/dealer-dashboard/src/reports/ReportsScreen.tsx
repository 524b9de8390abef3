import { addResellerReport, getResellerReportFile, getResellerReports, type Report } from '@sightline/contract/reports'
import { Button, EmptyState } from '@sightline/kit'
import { type Column, DataTable, useRowsInHand, useRowsPerPage } from '@sightline/kit/table'
import { download, LoadFailed, Screen, useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useMoment } from '../moments.ts'
import { resellerQuery } from '../resellers/index.ts'
import { Gate, Loaded } from '../shell/Gate.tsx'
import { useOwnStaff } from '../shell/own-staff.ts'
import { AddReport } from './AddReport.tsx'
import { resellerReportsQuery } from './report-queries.ts'
import { useText } from './text.ts'

const NOON = 'T12:00:00Z'

function DownloadButton({ report, days }: { report: Report; days: string }) {
  const { client } = useApplication()
  const t = useText()
  const save = useSave()
  const { resellerId } = useParams({ from: '/signed-in/resellers/$resellerId/reports' })
  const [busy, setBusy] = useState(false)
  const { reportId, type, from, till, format } = report
  const fetchFile = async () => {
    setBusy(true)
    const file = await save(() => client.blob(getResellerReportFile, { params: { resellerId, reportId } }))
    setBusy(false)
    if ('saved' in file) download(file.saved, `${type}-${from}-${till}.${format}`)
  }
  return (
    <Button
      variant="quiet"
      icon="download"
      busy={busy}
      className="-mx-4"
      aria-label={t('Download {format}, {days}', { format: format.toUpperCase(), days })}
      onClick={() => void fetchFile()}
    >
      {format.toUpperCase()}
    </Button>
  )
}

function useColumns(): readonly Column<Report>[] {
  const t = useText()
  const moment = useMoment()
  const { languages } = useApplication()
  const language = languages.current()
  return useMemo(() => {
    const daysOf = ({ from, till }: Report) =>
      from === till
        ? moment(`${from}${NOON}`, 'day')
        : `${moment(`${from}${NOON}`, 'day')} – ${moment(`${till}${NOON}`, 'day')}`
    return [
      { key: 'days', header: t('Days'), width: '34%', sortBy: ({ from }) => from, searchText: daysOf, cell: daysOf },
      {
        key: 'rows',
        header: t('Rows'),
        width: '6rem',
        align: 'end',
        sortBy: ({ rows }) => rows,
        searchText: false,
        cell: ({ rows }) => rows.toLocaleString(language),
      },
      {
        key: 'createdAt',
        header: t('Created'),
        minor: true,
        sortBy: ({ createdAt }) => createdAt,
        searchText: false,
        cell: ({ createdAt }) => moment(createdAt),
      },
      {
        key: 'expiresAt',
        header: t('Available until'),
        sortBy: ({ expiresAt }) => expiresAt,
        searchText: false,
        cell: ({ expiresAt }) => moment(expiresAt),
      },
      {
        key: 'file',
        header: t('File'),
        width: '8rem',
        cell: (report) => <DownloadButton report={report} days={daysOf(report)} />,
      },
    ]
  }, [t, moment, language])
}

function ReportTable({ resellerId, onAdd }: { resellerId: string; onAdd: () => void }) {
  const { client } = useApplication()
  const t = useText()
  const columns = useColumns()
  const [rowsPerPage, onRowsPerPage] = useRowsPerPage('resellerReports')
  const { data: rows, error, refetch } = useQuery(resellerReportsQuery(client, resellerId))
  const firstSort = { column: 'createdAt', descending: true }
  const view = useRowsInHand({ rows, columns, rowsPerPage, onRowsPerPage, firstSort })
  return (
    <DataTable
      label={t('Reports')}
      columns={columns}
      view={view}
      rowKey={({ reportId }) => reportId}
      rowName={({ from, till }) => `${from} – ${till}`}
      empty={
        <EmptyState
          icon="list"
          title={t('No reports yet')}
          action={
            <Button icon="plus" onClick={onAdd}>
              {t('New report')}
            </Button>
          }
        >
          {t("Create a report of each account's package and cameras per day, for example for billing.")}
        </EmptyState>
      }
      failed={
        error !== null && rows === undefined ? <LoadFailed error={error} reset={() => void refetch()} /> : undefined
      }
    />
  )
}

/** Reports about a reseller's accounts. */
export function ReportsScreen() {
  const { client } = useApplication()
  const t = useText()
  const own = useOwnStaff()
  const { resellerId } = useParams({ from: '/signed-in/resellers/$resellerId/reports' })
  const reseller = useQuery(resellerQuery(client, resellerId))
  const [adding, setAdding] = useState(false)
  return (
    <Gate call={getResellerReports}>
      <Screen
        width="table"
        title={t('Reports')}
        description={t("See each account's package and cameras per day. Reports are kept for 7 days.")}
        actions={
          own.may(addResellerReport) ? (
            <Button icon="plus" onClick={() => setAdding(true)}>
              {t('New report')}
            </Button>
          ) : undefined
        }
      >
        <Loaded query={reseller}>
          {({ timeZone }) => (
            <>
              <ReportTable resellerId={resellerId} onAdd={() => setAdding(true)} />
              {adding ? (
                <AddReport resellerId={resellerId} timeZone={timeZone} onClose={() => setAdding(false)} />
              ) : null}
            </>
          )}
        </Loaded>
      </Screen>
    </Gate>
  )
}
