import { discardJob, getJobs, type Job, type JobCounts, jobStates, retryJob } from '@sightline/contract/jobs'
import { Badge, ConfirmDialog, EmptyState, type MenuItem, Notice } from '@sightline/kit'
import { type Column, DataTable, FilterMenu, timeWidths } from '@sightline/kit/table'
import { LoadFailed, Screen, useApplication, useSave, useServerRows } from '@sightline/shell'
import { useState } from 'react'
import { useMoment } from '../moments.ts'
import { Gate } from '../shell/Gate.tsx'
import { useText } from '../text.ts'
import { everyJob, type JobListFilter } from './job-filter.ts'
import { errorText, lossText, stateTexts, subjectText, taskLabel } from './job-texts.ts'
import { isAtRest, totalJobs, useFilterInAddress, useJobCounts } from './use-jobs.ts'

function useColumns(): readonly Column<Job>[] {
  const t = useText()
  const moment = useMoment()
  return [
    {
      key: 'task',
      header: t('Task'),
      width: '24%',
      cell: ({ task, payload }) => (
        <span className="wrap-anywhere">
          {taskLabel(t, task)} <span className="block text-xs text-muted">{subjectText(t, payload)}</span>
        </span>
      ),
    },
    {
      key: 'state',
      header: t('Status'),
      width: '7.5rem',
      cell: ({ state }) => <Badge mood={stateTexts[state].mood}>{t(stateTexts[state].label)}</Badge>,
    },
    {
      key: 'attempts',
      header: t('Attempts'),
      width: '6.5rem',
      minor: true,
      cell: ({ attempts, maxAttempts, recurring }) =>
        recurring ? attempts : t('{used} of {most}', { used: attempts, most: maxAttempts }),
    },
    {
      key: 'nextRunAt',
      header: t('Next run'),
      width: timeWidths.minute,
      cell: ({ nextRunAt }) => (nextRunAt === null ? '–' : moment(nextRunAt)),
    },
    {
      key: 'lastError',
      header: t('Last error'),
      cell: ({ lastError }) =>
        lastError === null ? (
          '–'
        ) : (
          <bdi lang="en" className="text-muted wrap-anywhere">
            {errorText(t, lastError)}
          </bdi>
        ),
    },
  ]
}

interface FiltersProps {
  counts: readonly JobCounts[]
  filter: JobListFilter
  onChange: (filter: JobListFilter) => void
}

function Filters({ counts, filter, onChange }: FiltersProps) {
  const t = useText()
  const numbered = (label: string, count: number) => `${label} (${count})`
  const tasks = [...new Set([...counts.map(({ task }) => task), ...(filter.task === undefined ? [] : [filter.task])])]
  return (
    <>
      <FilterMenu
        label={t('Status')}
        choices={jobStates.map((state) => ({
          value: state,
          label: numbered(t(stateTexts[state].label), totalJobs(counts, { ...filter, state })),
        }))}
        value={filter.state}
        onChange={(state) => onChange({ ...filter, state })}
      />
      <FilterMenu
        label={t('Task')}
        choices={tasks.map((task) => ({
          value: task,
          label: numbered(taskLabel(t, task), totalJobs(counts, { ...filter, task })),
        }))}
        value={filter.task}
        onChange={(task) => onChange({ ...filter, task })}
      />
    </>
  )
}

/** Retry, and discard after a confirmation that says what is lost. */
function useJobActions() {
  const { client, queries } = useApplication()
  const t = useText()
  const save = useSave()
  const [asked, ask] = useState<Job>()
  const [busy, setBusy] = useState(false)
  const refresh = () => void queries.invalidateQueries({ queryKey: ['jobs'] })
  const retry = async ({ jobId }: Job) => {
    await save(() => client.call(retryJob, { params: { jobId } }), { success: t('The job will run now') })
    refresh()
  }
  const discard = async ({ jobId }: Job) => {
    setBusy(true)
    await save(() => client.call(discardJob, { params: { jobId } }), { success: t('Job discarded') })
    setBusy(false)
    ask(undefined)
    refresh()
  }
  const menuOf = (job: Job): readonly MenuItem[] =>
    isAtRest(job)
      ? [
          { label: t(job.state === 'waiting' ? 'Run now' : 'Retry now'), onSelect: () => void retry(job) },
          { label: t('Discard'), danger: true, onSelect: () => ask(job) },
        ]
      : []
  const question =
    asked === undefined ? null : (
      <ConfirmDialog
        open
        danger
        title={t('Discard this job?')}
        confirm={t('Discard job')}
        busy={busy}
        onClose={() => ask(undefined)}
        onConfirm={() => void discard(asked)}
      >
        <p className="font-medium">{taskLabel(t, asked.task)}</p>
        <p className="mb-3 text-muted wrap-anywhere">{subjectText(t, asked.payload)}</p>
        <p>{t(lossText(asked.task))}</p>
      </ConfirmDialog>
    )
  return { menuOf, question }
}

function Jobs() {
  const { client } = useApplication()
  const t = useText()
  const counts = useJobCounts()
  const columns = useColumns()
  const { filter, place, change } = useFilterInAddress()
  const { menuOf, question } = useJobActions()
  const isNarrowed = filter.state !== undefined || filter.task !== undefined
  const { view, error, retry } = useServerRows<Job>({
    name: 'jobs',
    queryKey: ['jobs', 'list', filter],
    fetch: (wish, _search, signal) => client.page(getJobs, { query: filter }, wish, { signal }),
    filter: isNarrowed ? { onClear: () => change(everyJob) } : undefined,
    place,
  })
  const failed = totalJobs(counts, { ...everyJob, state: 'failed' })
  return (
    <>
      {failed === 0 ? null : (
        <div className="mb-4">
          <Notice mood="warning">{t("{count} failed jobs won't be retried automatically", { count: failed })}</Notice>
        </div>
      )}
      <DataTable
        label={t('Jobs')}
        columns={columns}
        view={view}
        rowKey={({ jobId }) => jobId}
        rowName={({ task, jobId }) => `${taskLabel(t, task)} ${jobId}`}
        rowMenu={menuOf}
        filters={<Filters counts={counts} filter={filter} onChange={change} />}
        empty={
          <EmptyState icon="clock" title={t('No jobs right now')}>
            {t("Jobs show up here while they're waiting or running. Failed jobs stay until you retry or discard them.")}
          </EmptyState>
        }
        failed={error === null ? undefined : <LoadFailed error={error} reset={retry} />}
      />
      {question}
    </>
  )
}

/** The server's background jobs, for administrators. */
export function JobsScreen() {
  const t = useText()
  return (
    <Gate call={getJobs}>
      <Screen
        width="table"
        title={t('Jobs')}
        description={t('Emails, notifications, reports and deletions that run in the background.')}
      >
        <Jobs />
      </Screen>
    </Gate>
  )
}
