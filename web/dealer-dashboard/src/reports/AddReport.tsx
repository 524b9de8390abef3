import { addResellerReport } from '@sightline/contract/reports'
import { DateRange, FormDialog, isBackwards, Select, useForm } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { addDays, type DealerReportValues, daysProblem, localDay, previousMonth, reportBody } from './report-days.ts'
import { resellerReportsKey } from './report-queries.ts'
import { useText } from './text.ts'

interface AddReportProps {
  resellerId: string
  timeZone: string
  onClose: () => void
}

/** Creates a report: dates and file format. */
export function AddReport({ resellerId, timeZone, onClose }: AddReportProps) {
  const { client, queries } = useApplication()
  const t = useText()
  const save = useSave()
  const today = localDay(timeZone, Date.now())
  const first: DealerReportValues = { ...previousMonth(today), format: 'pdf' }
  const rules = {
    till: (_: string, all: DealerReportValues) =>
      daysProblem(all, today) ?? (isBackwards(all) ? "The end date can't be before the start date" : undefined),
  }
  const form = useForm(first, rules, t.message)
  const add = async (values: DealerReportValues) => {
    const body = reportBody(values)
    const outcome = await save(() => client.call(addResellerReport, { params: { resellerId }, body }), {
      success: t('Report created'),
      form: { fields: ['from', 'till', 'format'], refuse: form.refuse },
    })
    void queries.invalidateQueries({ queryKey: resellerReportsKey(resellerId) })
    if ('saved' in outcome) onClose()
  }
  const { from, till, format } = form.values
  return (
    <FormDialog
      open
      onClose={onClose}
      title={t('New report')}
      submit={t('Create report')}
      sendsUnchanged
      changed={form.changed}
      valid={form.valid}
      busy={form.busy}
      onSubmit={form.submit(add)}
    >
      <fieldset>
        <legend className="mb-1.5 font-medium">{t('Days')}</legend>
        <DateRange
          days={{ from, till }}
          max={today}
          presets={[
            { label: t('Last month'), ...previousMonth(today) },
            { label: t('Last 7 days'), from: addDays(today, -7), till: addDays(today, -1) },
          ]}
          error={form.field('till').error}
          onChange={(days) => {
            form.choose('from', days.from)
            form.choose('till', days.till)
          }}
        />
      </fieldset>
      <Select label={t('Format')} value={format} onChange={(event) => form.choose('format', event.target.value)}>
        <option value="pdf">{t('PDF (for reading and printing)')}</option>
        <option value="csv">{t('CSV (for spreadsheets)')}</option>
        <option value="json">{t('JSON (for programs)')}</option>
      </Select>
    </FormDialog>
  )
}
