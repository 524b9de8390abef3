import { type SpanForm, useSpanForm } from '../clips/index.ts'
import type { RangeProps } from './FootageMenu.tsx'
import { type Text, useText } from './text.ts'

/** The form of a range of footage of at most `maxDays`, and what is wrong with it; `tooLong` is said of a longer one. */
export function useRange(
  props: RangeProps,
  { maxDays, tooLong }: { readonly maxDays: number; readonly tooLong: Text },
): { readonly fields: SpanForm; readonly problem: string | undefined; readonly range: SpanForm['times'] } {
  const t = useText()
  const fields = useSpanForm(props)
  const { times } = fields
  let problem: Text | undefined
  if (times !== undefined && times.till - times.from > maxDays * 86_400_000) problem = tooLong
  if (times !== undefined && times.till <= times.from) problem = 'The end must be after the start'
  return {
    fields,
    problem: problem === undefined ? undefined : t(problem),
    range: problem === undefined ? times : undefined,
  }
}
