import { type Form, useForm } from '@sightline/kit'
import { useState } from 'react'
import { type ClipSpan, readTimes, type SpanFields, suggestSpan } from './clip-span.ts'
import { useText } from './text.ts'

export interface SpanForm {
  readonly form: Form<SpanFields>
  readonly timeZone: string
  /** What the fields mean; undefined while one of them can't be read. */
  readonly times: ClipSpan | undefined
}

interface SpanFormOptions {
  readonly timeZone: string
  /** The time of the picture when the dialog was opened; undefined: live. */
  readonly watched: number | undefined
  /** The range that is selected in the timeline. */
  readonly marked?: ClipSpan | undefined
}

/** The form of a range of footage, beginning with the selected range, else the minutes around what is watched. */
export function useSpanForm({ watched, marked, timeZone }: SpanFormOptions): SpanForm {
  const t = useText()
  // The suggestion stays as it was when the dialog opened.
  const [suggested] = useState(() => suggestSpan({ watched, marked }, { now: Date.now(), timeZone }))
  const isTyped = (field: string) => (field === '' ? 'Enter a date and time' : undefined)
  const form = useForm<SpanFields>(suggested.fields, { from: isTyped, till: isTyped }, t.message)
  return { form, timeZone, times: readTimes(form.values, timeZone, suggested) }
}
