import { addReport, MAX_REPORT_SCHEDULES } from '@sightline/contract/reports'
import { DateRange, type Form, FormDialog, Select, TextField, useForm } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { zoneInWords } from '@sightline/shell/time-zones'
import { useQuery } from '@tanstack/react-query'
import { lastDays, lastMonth, useMoments } from '../account-time/index.ts'
import { addDays, dateOf } from '../recordings/index.ts'
import { newReport, type ReportValues, reportBody, reportFields, reportRules } from './report-form.ts'
import { reportQueries, useAskAgain } from './report-queries.ts'
import { contentOf, offeredTypes, titleOf } from './report-words.ts'
import { useText } from './text.ts'

/** The form of a report: kind, days, format and schedule. */
export function NewReport({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useText()
  const { client } = useApplication()
  const { timeZone } = useMoments()
  const save = useSave()
  const askAgain = useAskAgain()
  const today = dateOf(Date.now(), timeZone)
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
      submit={t('Make the report')}
      sendsUnchanged
      changed={form.changed}
      valid={form.valid}
      busy={form.busy}
      onSubmit={form.submit(async (values) => {
        const done = await save(() => client.call(addReport, { body: reportBody(values) }), {
          success: t('The report was made'),
          messages: { 6: t('An account has at most 5 schedules. End one that is no longer needed.') },
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
        label={t('Report of')}
        hint={content === undefined ? undefined : t(contentOf[content])}
        value={form.values.type}
        onChange={(event) => form.choose('type', event.target.value)}
      >
        {offeredTypes.map((type) => (
          <option key={type} value={type}>
            {t(titleOf(type))}
          </option>
        ))}
      </Select>
      <Select
        label={t('Format')}
        hint={
          form.values.format === 'pdf' ? t('A PDF holds up to 4,000 rows, a file of another format 20,000.') : undefined
        }
        value={form.values.format}
        onChange={(event) => form.choose('format', event.target.value)}
      >
        <option value="pdf">{t('PDF, to read and to print')}</option>
        <option value="csv">{t('CSV, for a spreadsheet')}</option>
        <option value="json">{t('JSON, for a program')}</option>
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
      <legend className="mb-1.5 font-medium">{t('Days, at most 31')}</legend>
      <DateRange
        days={{ from, till }}
        max={today}
        presets={[
          { label: t('Yesterday'), from: yesterday, till: yesterday },
          { label: t('The last 7 whole days'), from: addDays(today, -7), till: yesterday },
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
  return (
    <>
      <Select
        label={t('Make it again')}
        hint={t(
          isFull
            ? 'An account has at most 5 schedules. End one that is no longer needed.'
            : 'By itself, of the days before; each time you get a mail with a link to it.',
        )}
        disabled={isFull}
        value={every}
        onChange={(event) => form.choose('every', event.target.value)}
      >
        <option value="">{t('No, only this once')}</option>
        <option value="day">{t('Every day, of the day before')}</option>
        <option value="week">{t('Every Monday, of the 7 days before')}</option>
        <option value="month">{t('On the first, of the month before')}</option>
      </Select>
      {every === '' ? null : (
        <TextField
          {...form.field('at')}
          type="time"
          label={t('At')}
          hint={t('In the time zone of the account, {timeZone}.', {
            timeZone: zoneInWords(timeZone, languages.current(), new Date()),
          })}
        />
      )}
    </>
  )
}
