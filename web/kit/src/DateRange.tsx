import { TextField } from './Field.tsx'
import { useKitText } from './kit-text.tsx'

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
  /** Common ranges, one button each. */
  presets?: readonly DayPreset[]
  /** Another error with the range. */
  error?: string | undefined
}

/** Two date fields of the browser. */
export function DateRange({ days, onChange, min, max, presets = [], error }: DateRangeProps) {
  const text = useKitText()
  const bounds = { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) }
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
      <div className="grid grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] gap-3">
        <TextField
          label={text('From')}
          type="date"
          {...bounds}
          value={days.from}
          onChange={(event) => onChange({ ...days, from: event.target.value })}
        />
        <TextField
          label={text('To')}
          type="date"
          {...bounds}
          error={backwards}
          value={days.till}
          onChange={(event) => onChange({ ...days, till: event.target.value })}
        />
      </div>
    </div>
  )
}
