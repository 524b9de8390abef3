import { DateTimeField, Notice } from '@sightline/kit'
import type { ReactNode } from 'react'
import { zoneClock } from '../recordings/index.ts'
import type { ClipSpan } from './clip-span.ts'
import { useText } from './text.ts'
import { useLengthText } from './use-length-text.ts'
import type { SpanForm } from './use-span-form.ts'

interface RangeFieldsProps {
  range: SpanForm
  problem: string | undefined
  /** Says the length, and more about it; without it, only the length is said. */
  length?: ReactNode
}

/** From and To of a range of footage, to the second, with what is wrong with it, else its length. */
export function RangeFields({ range, problem, length }: RangeFieldsProps) {
  const t = useText()
  const { form, timeZone, times } = range
  /** The time that a field means, if clocks show that twice or never. */
  const hint = (field: string | undefined, time: number | undefined) => {
    const meant = time === undefined ? undefined : zoneClock(timeZone).timeText(time, true)
    return meant === field?.slice('yyyy-mm-ddT'.length) ? undefined : meant
  }
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
      {problem !== undefined || times === undefined ? null : (length ?? <Duration span={times} />)}
    </>
  )
}

function Duration({ span }: { span: ClipSpan }) {
  const t = useText()
  return <p>{t('Duration: {duration}', { duration: useLengthText()(span.till - span.from) })}</p>
}
