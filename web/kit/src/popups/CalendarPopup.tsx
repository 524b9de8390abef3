import { Popover } from '@base-ui/react/popover'
import { type CalendarDate, parseDate } from '@internationalized/date'
import { useRef } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import {
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  CalendarHeading,
} from 'react-aria-components/Calendar'
import { RangeCalendar } from 'react-aria-components/RangeCalendar'
import { Button } from '../Button.tsx'
import type { CalendarSelection } from '../CalendarButton.tsx'
import { Icon } from '../Icon.tsx'
import { useKitText } from '../kit-text.tsx'
import type { PopupProps } from '../use-popup.ts'
import { AriaFrame } from './AriaFrame.tsx'
import { findLandmark, LoadedEarlier, PopupFrame, placement, popupClass } from './PopupFrame.tsx'

interface CalendarPopupProps extends PopupProps {
  label: string
  selection: CalendarSelection
  min: string | undefined
  max: string | undefined
  /** `yyyy-mm-dd` */
  today: string
}

const stepClass =
  'inline-flex size-10 items-center justify-center rounded-md text-muted outline-none data-hovered:bg-sunken data-hovered:text-text data-focus-visible:outline-2 data-focus-visible:outline-focus disabled:opacity-50 pointer-coarse:size-11'

const dayClass =
  'flex size-10 items-center justify-center rounded-md tabular-nums outline-none data-hovered:bg-sunken data-focus-visible:outline-2 data-focus-visible:outline-focus data-selected:bg-control data-selected:text-on-control data-disabled:text-muted data-disabled:opacity-50 data-outside-month:invisible pointer-coarse:size-11'

const todayClass = 'font-semibold underline decoration-2 underline-offset-4'

/** Between the ends of a range. */
const rangeClass =
  'data-selected:not-data-selection-start:not-data-selection-end:rounded-none data-selected:not-data-selection-start:not-data-selection-end:bg-tint data-selected:not-data-selection-start:not-data-selection-end:text-text'

function Month({ today, isRange }: { today: string; isRange: boolean }) {
  return (
    <>
      <header className="mb-2 flex items-center justify-between">
        <AriaButton slot="previous" className={stepClass}>
          <Icon name="chevronLeft" mirrored />
        </AriaButton>
        <CalendarHeading className="font-semibold" />
        <AriaButton slot="next" className={stepClass}>
          <Icon name="chevronRight" mirrored />
        </AriaButton>
      </header>
      <CalendarGrid weekdayStyle="short" className="border-separate border-spacing-y-0.5">
        <CalendarGridHeader>
          {(weekday) => (
            <CalendarHeaderCell className="h-8 text-xs font-medium text-muted">{weekday}</CalendarHeaderCell>
          )}
        </CalendarGridHeader>
        <CalendarGridBody>
          {(date) => (
            <CalendarCell
              date={date}
              className={`${dayClass} ${isRange ? rangeClass : ''} ${date.toString() === today ? todayClass : ''}`}
            />
          )}
        </CalendarGridBody>
      </CalendarGrid>
    </>
  )
}

const day = (text: string | undefined): CalendarDate | undefined =>
  text === undefined || text === '' ? undefined : parseDate(text.slice(0, 10))

/** The month in which a day or a range of days is selected. */
function SelectionCalendar(props: CalendarPopupProps) {
  const { selection, min, max, today, label, onClose } = props
  const bounds = { minValue: day(min), maxValue: day(max), 'aria-label': label }
  if (selection.kind === 'day') {
    return (
      <Calendar
        {...bounds}
        value={day(selection.day) ?? null}
        defaultFocusedValue={day(selection.day) ?? day(today)}
        onChange={(chosen) => {
          selection.onSelect(chosen.toString())
          onClose()
        }}
      >
        <Month today={today} isRange={false} />
      </Calendar>
    )
  }
  const start = day(selection.from)
  const end = day(selection.to)
  const isRange = start !== undefined && end !== undefined && start.compare(end) <= 0
  return (
    <RangeCalendar
      {...bounds}
      value={isRange ? { start, end } : null}
      defaultFocusedValue={(selection.startsAt === 'to' ? (end ?? start) : (start ?? end)) ?? day(today)}
      onChange={(chosen) => {
        selection.onSelect(chosen.start.toString(), chosen.end.toString())
        onClose()
      }}
    >
      <Month today={today} isRange />
    </RangeCalendar>
  )
}

/** The open calendar of a {@link CalendarButton}. */
export function CalendarPopup(props: CalendarPopupProps) {
  const { label, selection, trigger, onClose } = props
  const text = useKitText()
  const popup = useRef<HTMLDivElement>(null)
  const { onClear } = selection
  return (
    <PopupFrame>
      <Popover.Root open modal={false} onOpenChange={onClose}>
        <Popover.Trigger render={<LoadedEarlier button={trigger} />} />
        <Popover.Portal container={findLandmark(trigger)}>
          <Popover.Positioner {...placement} anchor={() => trigger.current?.closest('[data-field]') ?? trigger.current}>
            <Popover.Popup
              ref={popup}
              aria-label={label}
              initialFocus={() => popup.current?.querySelector<HTMLElement>('td [tabindex="0"]') ?? true}
              className={`${popupClass} p-3`}
            >
              <AriaFrame>
                <SelectionCalendar {...props} />
              </AriaFrame>
              {onClear === undefined ? null : (
                <div className="mt-2 flex justify-end">
                  <Button
                    variant="quiet"
                    onClick={() => {
                      onClear()
                      onClose()
                    }}
                  >
                    {text('Clear')}
                  </Button>
                </div>
              )}
            </Popover.Popup>
          </Popover.Positioner>
        </Popover.Portal>
      </Popover.Root>
    </PopupFrame>
  )
}
