import { CalendarButton } from './CalendarButton.tsx'
import { SegmentField, type SegmentFieldProps } from './SegmentField.tsx'

/** The next full hour of this device's clock; the last minute of the day if that is tomorrow's. */
function nextHour(): string {
  const hour = new Date().getHours() + 1
  return hour === 24 ? '23:59' : `${String(hour).padStart(2, '0')}:00`
}

interface DateTimeFieldProps extends SegmentFieldProps {
  /** The value has seconds: `yyyy-mm-ddThh:mm:ss`. */
  withSeconds?: boolean
}

/** A day and a time, `yyyy-mm-ddThh:mm`: typed, or the day selected in a calendar. */
export function DateTimeField({ withSeconds = false, ...field }: DateTimeFieldProps) {
  const { label, value, min, max, required = false, disabled = false, onChange } = field
  const change = (moment: string) => onChange({ target: { value: moment } })
  return (
    <SegmentField
      {...field}
      kind={withSeconds ? 'dateTimeSecond' : 'dateTime'}
      calendar={(onOpenChange) => (
        <CalendarButton
          label={label}
          selection={{
            kind: 'day',
            day: value.slice(0, 10),
            onSelect: (day) =>
              change(`${day}T${value === '' ? `${nextHour()}${withSeconds ? ':00' : ''}` : value.slice(11)}`),
            onClear: required || value === '' ? undefined : () => change(''),
          }}
          {...{ min, max, disabled, onOpenChange }}
        />
      )}
    />
  )
}
