import { useForm } from '@sightline/kit'
import { useState } from 'react'
import { type ClipSpan, readTimes, type SpanFields, suggestMarked, suggestSpan } from '../clips/index.ts'
import { type Text, useText } from './text.ts'

interface RangeFields extends SpanFields {
  readonly reason: string
}

/** The form of a range of footage, beginning with the selected range, else the minutes around what is watched. `longestDays` limits it. */
export function useRangeForm({
  watched,
  marked,
  timeZone,
  longestDays,
}: {
  watched: number | undefined
  marked: ClipSpan | undefined
  timeZone: string
  longestDays: number
}) {
  const t = useText()
  // The suggestion stays as it was when the dialog opened.
  const [selected] = useState(() => (marked === undefined ? undefined : suggestMarked(marked, timeZone)))
  const [suggested] = useState(() => ({
    ...(selected?.fields ?? suggestSpan(watched, { now: Date.now(), timeZone })),
    reason: '',
  }))
  const isTyped = (field: string) => (field === '' ? 'Enter a date and time' : undefined)
  const form = useForm<RangeFields>(suggested, { from: isTyped, till: isTyped }, t.message)
  const times = readTimes(form.values, timeZone, selected)
  let problem: Text | undefined
  if (times !== undefined && times.till <= times.from) problem = 'The end must be after the start'
  const isTooLong = times !== undefined && times.till - times.from > longestDays * 86_400_000
  return { form, problem, isTooLong, range: problem === undefined && !isTooLong ? times : undefined }
}
