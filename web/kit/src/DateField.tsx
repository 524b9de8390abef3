import { CalendarButton } from './CalendarButton.tsx'
import { SegmentField, type SegmentFieldProps } from './SegmentField.tsx'

interface DateFieldProps extends SegmentFieldProps {
  /** The current day in the time zone that counts, `yyyy-mm-dd`; the device's by default. */
  today?: string
}

/** A day, `yyyy-mm-dd`: typed in the order of the language, or selected in a calendar. */
export function DateField({ today, ...field }: DateFieldProps) {
  const { label, value, min, max, required = false, disabled = false, onChange } = field
  const change = (day: string) => onChange({ target: { value: day } })
  return (
    <SegmentField
      {...field}
      kind="date"
      calendar={(onOpenChange) => (
        <CalendarButton
          label={label}
          selection={{
            kind: 'day',
            day: value,
            onSelect: change,
            onClear: required || value === '' ? undefined : () => change(''),
          }}
          {...{ min, max, today, disabled, onOpenChange }}
        />
      )}
    />
  )
}
