import { Fragment, type KeyboardEvent, memo, type RefObject, useCallback, useLayoutEffect, useRef } from 'react'
import type { Option } from './option-search.ts'
import { TickBox } from './TickBox.tsx'
import { useWindowing, type WindowedRowProps } from './windowing/use-windowing.tsx'

/** Estimated height of one option in CSS pixels. */
const ROW_PX = 36

/** Where each key moves the focus to. */
const moves: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowDown: (index, count) => Math.min(index + 1, count - 1),
  ArrowUp: (index) => Math.max(index - 1, 0),
  Home: () => 0,
  End: (_, count) => count - 1,
}

interface CheckRowsProps {
  id: string
  list: RefObject<HTMLUListElement | null>
  options: readonly Option[]
  chosen: ReadonlySet<string>
  disabled: boolean
  onChange: (value: string, on: boolean) => void
}

interface CheckRowProps extends Pick<CheckRowsProps, 'id' | 'disabled' | 'onChange'> {
  option: Option
  index: number
  count: number
  isChecked: boolean
  rowProps: (index: number) => WindowedRowProps
  onMove: (event: KeyboardEvent, index: number) => void
}

/** Memoized, so that scrolling draws only new rows. */
const CheckRow = memo((props: CheckRowProps) => {
  const { id, option, index, count, isChecked, disabled, rowProps, onChange, onMove } = props
  const { value, label, hint } = option
  return (
    <li {...rowProps(index)} aria-setsize={count} aria-posinset={index + 1}>
      <label
        htmlFor={`${id}-${value}`}
        className="flex min-h-9 items-center gap-3 rounded-sm px-2 py-1.5 hover:bg-sunken pointer-coarse:min-h-11"
      >
        <TickBox
          id={`${id}-${value}`}
          checked={isChecked}
          disabled={disabled}
          onChange={(on) => onChange(value, on)}
          onKeyDown={(event) => onMove(event, index)}
        />
        <span className="grow wrap-anywhere">{label}</span>
        {hint === undefined ? null : <span className="text-xs text-muted">{hint}</span>}
      </label>
    </li>
  )
})

/** Moves the focus with the keyboard, also to an option that is not drawn yet. */
function useMoves(list: CheckRowsProps['list'], count: number, keep: (index: number) => void) {
  const target = useRef<number>(undefined)
  useLayoutEffect(() => {
    if (target.current === undefined) return
    // A key may be pressed before the list knows where it was scrolled to: then the focused row is gone, and nothing has the focus.
    const { activeElement } = document
    const isInside = activeElement === document.body || list.current?.contains(activeElement) === true
    const box = list.current?.querySelector<HTMLElement>(`[data-index="${target.current}"] [role=checkbox]`)
    if (isInside) box?.focus()
    if (!isInside || box) target.current = undefined
  })
  return useCallback(
    (event: KeyboardEvent, index: number) => {
      const to = moves[event.key]?.(index, count)
      if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      if (to === index) return
      target.current = to
      keep(to)
    },
    [count, keep],
  )
}

/** The options of a check list; of a long list only those near the visible part are drawn. */
export function CheckRows({ list, options, chosen, ...row }: CheckRowsProps) {
  const count = options.length
  const keyAt = useCallback((index: number) => options[index]?.value ?? index, [options])
  const windowed = useWindowing({ list, count, keyAt, rowHeight: ROW_PX, isScrollable: true })
  const { placed, after, rowProps, keep, windowing } = windowed
  const onMove = useMoves(list, count, keep)
  return (
    <>
      {/* The library scrolls when a row is higher than estimated; the browser must not do so too. */}
      <ul
        ref={list}
        className={`mt-2 max-h-72 overflow-y-auto overscroll-contain ${windowing === null ? '' : '[overflow-anchor:none]'}`}
      >
        {placed.map(({ index, gap }) => {
          const option = options[index]
          return option === undefined ? null : (
            <Fragment key={option.value}>
              {gap === 0 ? null : <li aria-hidden style={{ height: gap }} />}
              <CheckRow
                {...row}
                option={option}
                index={index}
                count={count}
                isChecked={chosen.has(option.value)}
                rowProps={rowProps}
                onMove={onMove}
              />
            </Fragment>
          )
        })}
        {after === 0 ? null : <li aria-hidden style={{ height: after }} />}
      </ul>
      {windowing}
    </>
  )
}
