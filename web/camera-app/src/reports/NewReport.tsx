import { addReport, MAX_REPORT_SCHEDULES } from '@sightline/contract/reports'
import { DateRange, type Form, FormDialog, Select, TimeField, useForm } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { addDays, localDate } from '@sightline/shell/local-day'
import { zoneInWords } from '@sightline/shell/time-zones'
import { useQuery } from '@tanstack/react-query'
import { lastDays, lastMonth, useMoments } from '../account-time/index.ts'
import { newReport, type ReportValues, reportBody, reportFields, reportRules } from './report-form.ts'
import { reportQueries, useAskAgain } from './report-queries.ts'
import { offeredTypes, reportDescriptions, reportTitle } from './report-words.ts'
import { useText } from './text.ts'

/** The form of a report: kind, days, format and schedule. */
export function NewReport({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useText()
  const { client } = useApplication()
  const { timeZone } = useMoments()
  const save = useSave()
  const askAgain = useAskAgain()
  const today = localDate(Date.now(), timeZone)
  const form = useForm(newReport({ from: addDays(today, -7), till: addDays(today, -1) }), reportRules(today), t.message)
  const close = () => {
    form.reset()
    onClose()
  }
  return (
    <FormDialog
      open={open}
      onClose={close}
      title={t('New report')}
      submit={t('Create report')}
      sendsUnchanged
      changed={form.changed}
      valid={form.valid}
      busy={form.busy}
      onSubmit={form.submit(async (values) => {
        const done = await save(() => client.call(addReport, { body: reportBody(values) }), {
          success: t('Report created'),
          messages: { 6: t("You've reached the limit of 5 schedules. Delete one you no longer need.") },
          form: { fields: reportFields, refuse: form.refuse },
        })
        askAgain()
        if ('saved' in done) close()
      })}
    >
      <What form={form} />
      <When form={form} today={today} />
      <Again form={form} timeZone={timeZone} />
    </FormDialog>
  )
}

interface PartProps {
  form: Form<ReportValues>
}

function What({ form }: PartProps) {
  const t = useText()
  const content = offeredTypes.find((type) => type === form.values.type)
  return (
    <>
      <Select
        label={t('Report type')}
        hint={content === undefined ? undefined : t(reportDescriptions[content])}
        value={form.values.type}
        onChange={(event) => form.choose('type', event.target.value)}
      >
        {offeredTypes.map((type) => (
          <option key={type} value={type}>
            {t(reportTitle(type))}
          </option>
        ))}
      </Select>
      <Select
        label={t('Format')}
        hint={
          form.values.format === 'pdf'
            ? t('PDF files hold up to 4,000 rows. CSV and JSON files hold up to 20,000.')
            : undefined
        }
        value={form.values.format}
        onChange={(event) => form.choose('format', event.target.value)}
      >
        <option value="pdf">{t('PDF (for reading and printing)')}</option>
        <option value="csv">{t('CSV (for spreadsheets)')}</option>
        <option value="json">{t('JSON (for programs)')}</option>
      </Select>
    </>
  )
}

function When({ form, today }: PartProps & { today: string }) {
  const t = useText()
  const { timeZone } = useMoments()
  const { from, till } = form.values
  const now = Date.now()
  const yesterday = addDays(today, -1)
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium">{t('Dates (up to 31 days)')}</legend>
      <DateRange
        days={{ from, till }}
        max={today}
        today={today}
        presets={[
          { label: t('Yesterday'), from: yesterday, till: yesterday },
          { label: t('Last 7 full days'), from: addDays(today, -7), till: yesterday },
          { label: t('Last 30 days'), ...lastDays(30, now, timeZone) },
          { label: t('Last month'), ...lastMonth(now, timeZone) },
        ]}
        error={form.field('till').error}
        onChange={(days) => {
          form.choose('from', days.from)
          form.choose('till', days.till)
        }}
      />
    </fieldset>
  )
}

function Again({ form, timeZone }: PartProps & { timeZone: string }) {
  const t = useText()
  const { client, languages } = useApplication()
  const schedules = useQuery(reportQueries(client).schedules).data
  const isFull = schedules !== undefined && schedules.length >= MAX_REPORT_SCHEDULES
  const { every } = form.values
  const emailed = every === '' ? undefined : t("You'll get an email with a link to each report.")
  const hint = isFull ? t("You've reached the limit of 5 schedules. Delete one you no longer need.") : emailed
  return (
    <>
      <Select
        label={t('Repeat')}
        hint={hint}
        disabled={isFull}
        value={every}
        onChange={(event) => form.choose('every', event.target.value)}
      >
        <option value="">{t("Don't repeat")}</option>
        <option value="day">{t('Every day, for the previous day')}</option>
        <option value="week">{t('Every Monday, for the previous 7 days')}</option>
        <option value="month">{t('On the 1st of every month, for the previous month')}</option>
      </Select>
      {every === '' ? null : (
        <TimeField
          {...form.field('at')}
          required
          label={t('Time of day')}
          hint={t('Account time zone: {timeZone}', {
            timeZone: zoneInWords(timeZone, languages.current(), new Date()),
          })}
        />
      )}
    </>
  )
}
