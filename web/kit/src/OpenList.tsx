import { useEffect, useRef, useState } from 'react'
import { Icon } from './Icon.tsx'
import { useKitText } from './kit-text.tsx'
import type { Option } from './option-search.ts'
import type { Search } from './SearchSelect.tsx'

export { searchOptions } from './option-search.ts'

/** CSS pixels around the entries of the list. */
const PADDING = 6

/** The element of the list, which turns upwards where the window has no room for it below, and keeps its active entry in sight. */
function useList({ active, found }: Search) {
  const list = useRef<HTMLDivElement>(null)
  const [upwards, setUpwards] = useState(false)
  // The first time the chosen entry stands in the middle; afterwards the list moves as little as it can.
  const isFresh = useRef(true)

  useEffect(() => {
    const field = list.current?.parentElement?.getBoundingClientRect()
    if (field === undefined) return
    const below = window.innerHeight - field.bottom
    setUpwards(below < 240 && field.top > below)
  }, [])

  useEffect(() => {
    const box = list.current
    const row = found[active] === undefined ? undefined : box?.querySelector<HTMLElement>(`[data-index="${active}"]`)
    if (box === null || row === null || row === undefined) {
      isFresh.current = true
      return
    }
    // Not scrollIntoView, which would move the page as well.
    const above = row.offsetTop - PADDING
    const below = row.offsetTop + row.offsetHeight + PADDING - box.clientHeight
    if (isFresh.current) box.scrollTop = (above + below) / 2
    else box.scrollTop = Math.max(below, Math.min(above, box.scrollTop))
    isFresh.current = false
  }, [active, found])

  return { list, upwards }
}

interface OpenListProps {
  search: Search
  id: string
  label: string
  value: string
}

/** The list of a `SearchSelect` while it is open. */
export function OpenList({ search, id, label, value }: OpenListProps) {
  const text = useKitText()
  const { list, upwards } = useList(search)
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={label}
      aria-busy={!search.isLoaded}
      tabIndex={-1}
      // The focus stays in the field, wherever in the list somebody presses.
      onMouseDown={(event) => event.preventDefault()}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        if (scrollTop + clientHeight > scrollHeight - 200) search.reachEnd()
      }}
      className={`absolute inset-x-0 z-30 max-h-72 animate-rise overflow-y-auto overscroll-contain rounded-md border border-border bg-raised p-1.5 shadow-popup ${upwards ? 'bottom-full mb-1.5' : 'top-full mt-1.5'}`}
    >
      {search.found.slice(0, search.drawn).map((option, index) => (
        <Row
          key={option.value}
          id={`${id}-${index}`}
          option={option}
          index={index}
          active={index === search.active}
          chosen={option.value === value}
          onChoose={search.choose}
        />
      ))}
      {search.found.length === 0 ? (
        <div role="option" aria-selected={false} aria-disabled tabIndex={-1} className="px-3 py-2 text-muted">
          {text(search.isLoaded ? 'Nothing found' : 'Loading')}
        </div>
      ) : null}
    </div>
  )
}

interface RowProps {
  id: string
  option: Option
  index: number
  active: boolean
  chosen: boolean
  onChoose: (option: Option) => void
}

function Row({ id, option, index, active, chosen, onChoose }: RowProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the combobox's, which keeps the focus.
    <div
      id={id}
      role="option"
      data-index={index}
      data-active={active || undefined}
      tabIndex={-1}
      aria-selected={chosen}
      onClick={() => onChoose(option)}
      className={`flex items-center gap-3 rounded-sm px-3 py-2 hover:bg-sunken pointer-coarse:py-3 ${active ? 'bg-sunken' : ''} ${chosen ? 'font-medium' : ''}`}
    >
      <span dir="auto" className="grow truncate rtl:text-right">
        {option.label}
      </span>
      {option.hint === undefined ? null : (
        <span dir="auto" className="shrink-0 text-xs text-muted tabular-nums">
          {option.hint}
        </span>
      )}
      <Icon name="check" size={18} className={chosen ? 'text-link' : 'invisible'} />
    </div>
  )
}
