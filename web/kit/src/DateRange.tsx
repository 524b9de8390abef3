import { CalendarButton } from './CalendarButton.tsx'
import { useKitText } from './kit-text.tsx'
import { SegmentField } from './SegmentField.tsx'

/** Calendar days, `yyyy-mm-dd`, both included; an empty text means no limit. */
export interface DayRange {
  readonly from: string
  readonly till: string
}

export interface DayPreset extends DayRange {
  readonly label: string
}

/** Whether the range ends before it begins. */
export const isBackwards = ({ from, till }: DayRange): boolean => from !== '' && till !== '' && till < from

interface DateRangeProps {
  days: DayRange
  onChange: (days: DayRange) => void
  /** Limits of the selection, `yyyy-mm-dd`. */
  min?: string
  max?: string
  /** The current day in the account's time zone; the device's by default. */
  today?: string
  /** Common ranges, one button each. */
  presets?: readonly DayPreset[]
  /** Another error with the range. */
  error?: string | undefined
}

interface DayProps extends Omit<DateRangeProps, 'presets'> {
  side: 'from' | 'till'
  label: string
}

/** One end of the range; its calendar selects both. */
function DayField({ side, label, days, onChange, min, max, today, error }: DayProps) {
  const bounds = { min, max }
  return (
    <SegmentField
      {...bounds}
      kind="date"
      label={label}
      error={error}
      value={days[side]}
      onChange={({ target }) => onChange({ ...days, [side]: target.value })}
      calendar={(onOpenChange) => (
        <CalendarButton
          {...bounds}
          label={label}
          selection={{
            kind: 'range',
            from: days.from,
            to: days.till,
            startsAt: side === 'from' ? 'from' : 'to',
            onSelect: (from, till) => onChange({ from, till }),
            onClear: days[side] === '' ? undefined : () => onChange({ ...days, [side]: '' }),
          }}
          today={today}
          onOpenChange={onOpenChange}
        />
      )}
    />
  )
}

/** From one day to another. */
export function DateRange({ presets = [], error, ...range }: DateRangeProps) {
  const { days, onChange } = range
  const text = useKitText()
  const backwards = isBackwards(days) ? text("The end date can't be before the start date") : error
  return (
    <div className="space-y-3">
      {presets.length === 0 ? null : (
        <div className="flex flex-wrap gap-2">
          {presets.map(({ label, from, till }) => (
            <button
              key={label}
              type="button"
              aria-pressed={from === days.from && till === days.till}
              onClick={() => onChange({ from, till })}
              className="inline-flex min-h-8 items-center rounded-full border border-outline px-3 hover:bg-sunken aria-pressed:border-control aria-pressed:bg-tint aria-pressed:text-link pointer-coarse:min-h-11"
            >
              {label}
            </button>
          ))}
        </div>
      )}
      <div className="grid grid-cols-[repeat(auto-fit,minmax(10rem,1fr))] gap-3">
        <DayField {...range} side="from" label={text('From')} />
        <DayField {...range} side="till" label={text('To')} error={backwards} />
      </div>
    </div>
  )
}
