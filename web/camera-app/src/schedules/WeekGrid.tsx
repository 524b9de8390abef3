import { type Weekday, weekdays } from '@sightline/contract/schedules'
import { Menu, type MenuItem } from '@sightline/kit'
import { paintClass, paintText, type ScheduleKind } from './paints.ts'
import { useText } from './text.ts'
import { useWeekKeys } from './use-week-keys.ts'
import { type Painting, useWeekPainting } from './use-week-painting.ts'
import { CELL_MINUTES, CELLS, type HalfHour } from './week-cells.ts'
import {
  getPaint,
  MINUTES_PER_DAY,
  type Paint,
  partsOfDay,
  type WeekPlan,
  withCopiedDay,
  withPaint,
} from './week-plan.ts'
import { useWeekWords } from './week-words.ts'

// Not a table: its cells would have the height of their contents, and nothing could be painted across them.
const asGrid = (label: string, readOnly: boolean) =>
  ({ role: 'grid', 'aria-label': label, 'aria-readonly': readOnly, 'aria-multiselectable': true }) as const
const asRow = { role: 'row' } as const
const asRowHeader = { role: 'rowheader' } as const
const asCell = (label: string, isSelected: boolean) =>
  ({ role: 'gridcell', 'aria-label': label, 'aria-selected': isSelected }) as const

const cells = Array.from({ length: CELLS }, (_, cell) => cell)

interface WeekGridProps extends Painting {
  label: string
  kind: ScheduleKind
  /** The minute of the week that the clock shows now. */
  now: number
}

/** The items of a day's menu: its times on other days, or none. */
function useDayMenu({ plan, onChange }: Pick<Painting, 'plan' | 'onChange'>) {
  const t = useText()
  return (day: Weekday): readonly MenuItem[] => {
    const others = weekdays.filter((other) => other !== day)
    const copy = (to: readonly Weekday[]) => onChange(withCopiedDay(plan, day, to))
    const start = weekdays.indexOf(day) * MINUTES_PER_DAY
    const fill = (paint: Paint) => onChange(withPaint(plan, { start, end: start + MINUTES_PER_DAY, paint }))
    return [
      { label: t('Copy to every day'), icon: 'copy', onSelect: () => copy(others) },
      {
        label: t('Copy to Monday through Friday'),
        icon: 'copy',
        onSelect: () => copy(others.filter((other) => weekdays.indexOf(other) < 5)),
      },
      {
        label: t('Copy to the weekend'),
        icon: 'copy',
        onSelect: () => copy(others.filter((other) => weekdays.indexOf(other) > 4)),
      },
      { kind: 'line' },
      { label: t('All day'), icon: 'check', onSelect: () => fill('on') },
      { label: t('Clear this day'), icon: 'trash', onSelect: () => fill('off') },
    ]
  }
}

const share = (minutes: number): string => `${(minutes / MINUTES_PER_DAY) * 100}%`

function Hours() {
  const words = useWeekWords()
  return (
    <div aria-hidden="true" className="relative ms-20 mb-1 h-4 text-xs text-muted">
      {[0, 6, 12, 18, 24].map((hour) => (
        <span
          key={hour}
          className="absolute -translate-x-1/2 whitespace-nowrap first:translate-x-0 last:-translate-x-full rtl:translate-x-1/2 rtl:first:translate-x-0 rtl:last:translate-x-full"
          style={{ insetInlineStart: share(hour * 60) }}
        >
          {words.time(hour * 60)}
        </span>
      ))}
    </div>
  )
}

interface DayCellsProps {
  day: Weekday
  kind: ScheduleKind
  plan: WeekPlan
  /** The cell that the Tab key reaches. */
  place: HalfHour
}

/** The paint of a day, and above it the cells that take the focus. */
function DayCells({ day, kind, plan, place }: DayCellsProps) {
  const t = useText()
  const words = useWeekWords()
  const dayAt = weekdays.indexOf(day)
  return (
    <>
      {partsOfDay(plan, day).map(({ start, end, paint }) => (
        <span
          key={start}
          aria-hidden="true"
          className={`pointer-events-none absolute inset-y-0 ${paintClass[paint]}`}
          style={{ insetInlineStart: share(start), width: share(end - start) }}
        />
      ))}
      {cells.map((cell) => {
        const paint = getPaint(plan, dayAt * MINUTES_PER_DAY + cell * CELL_MINUTES)
        return (
          <div
            key={cell}
            {...asCell(
              `${words.day(day)} ${words.time(cell * CELL_MINUTES)}: ${t(paintText(kind, paint))}`,
              paint !== 'off',
            )}
            data-cell={`${dayAt}-${cell}`}
            tabIndex={place.day === dayAt && place.cell === cell ? 0 : -1}
            className={`relative flex-1 -outline-offset-2 ${cell % 2 === 0 && cell > 0 ? 'border-s border-border/60' : ''}`}
          />
        )
      })}
    </>
  )
}

/** A week to paint on: a row for each day, from midnight to midnight. */
export function WeekGrid(props: WeekGridProps) {
  const { label, kind, readOnly, now } = props
  const t = useText()
  const words = useWeekWords()
  const { grid, shown, handlers } = useWeekPainting(props)
  const { place, keys } = useWeekKeys(props, grid)
  const menuOf = useDayMenu(props)
  return (
    <div className="select-none">
      <Hours />
      <div ref={grid} {...asGrid(label, readOnly)} {...keys}>
        {weekdays.map((day, dayAt) => (
          <div key={day} {...asRow} className="mb-1 flex items-stretch">
            <div {...asRowHeader} className="w-20 shrink-0">
              {readOnly ? (
                <span className="inline-flex h-10 items-center">{words.shortDay(day)}</span>
              ) : (
                <Menu
                  label={t('Copy or clear {day}', { day: words.day(day) })}
                  trigger={words.shortDay(day)}
                  triggerClass="inline-flex h-10 w-18 items-center rounded-md px-2 text-start hover:bg-sunken"
                  items={menuOf(day)}
                />
              )}
            </div>
            <div
              data-day={day}
              {...handlers}
              className={`relative flex h-10 min-w-0 flex-1 touch-pan-y overflow-hidden rounded-sm border border-border bg-sunken ${readOnly ? '' : 'cursor-crosshair'}`}
            >
              <DayCells {...{ day, kind, place }} plan={shown} />
              {Math.floor(now / MINUTES_PER_DAY) === dayAt ? (
                <span
                  aria-hidden="true"
                  className="pointer-events-none absolute inset-y-0 w-0.5 bg-danger outline-1 outline-surface"
                  style={{ insetInlineStart: share(now % MINUTES_PER_DAY) }}
                />
              ) : null}
            </div>
          </div>
        ))}
      </div>
    </div>
  )
}
