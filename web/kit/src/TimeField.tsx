import { SegmentField, type SegmentFieldProps } from './SegmentField.tsx'

/** A time of day, `hh:mm`, typed on the 12- or 24-hour clock of the language. */
export function TimeField(field: Omit<SegmentFieldProps, 'min' | 'max'>) {
  return <SegmentField {...field} kind="time" />
}
