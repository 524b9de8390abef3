import { DateTimeField, Notice } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { lengthText } from '../length-text.ts'
import { browserLocale } from '../locale.ts'
import { zoneClock } from '../recordings/index.ts'
import { useText } from './text.ts'
import type { SpanForm } from './use-span-form.ts'

/** Days, hours, minutes and seconds. */
export const ALL_UNITS = 4

/** From and To of a range of footage, to the second, with what is wrong with it, else its length. */
export function RangeFields({ range, problem }: { range: SpanForm; problem: string | undefined }) {
  const t = useText()
  const { languages } = useApplication()
  const { form, timeZone, times } = range
  /** The time that a field means, if clocks show that twice or never. */
  const hint = (field: string | undefined, time: number | undefined) => {
    const meant = time === undefined ? undefined : zoneClock(timeZone).timeText(time, true)
    return meant === field?.slice('yyyy-mm-ddT'.length) ? undefined : meant
  }
  const locale = browserLocale(languages.current())
  return (
    <>
      <DateTimeField
        withSeconds
        required
        label={t('From')}
        hint={hint(form.values.from, times?.from)}
        {...form.field('from')}
      />
      <DateTimeField
        withSeconds
        required
        label={t('To')}
        hint={hint(form.values.till, times?.till)}
        {...form.field('till')}
      />
      {problem === undefined ? null : <Notice mood="danger">{problem}</Notice>}
      {problem !== undefined || times === undefined ? null : (
        <p>{t('Duration: {duration}', { duration: lengthText(times.till - times.from, locale, ALL_UNITS) })}</p>
      )}
    </>
  )
}
