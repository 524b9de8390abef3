import { type KeyboardEvent, type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react'
import { Field, type FieldFrame, inputClass } from './Field.tsx'
import { Icon } from './Icon.tsx'
import { useKitText } from './kit-text.tsx'
import { type Option, searchOptions } from './option-search.ts'

interface SearchSelectProps extends FieldFrame {
  value: string
  /** What the closed field shows for `value`: it must be known before the list is built. */
  valueLabel: string
  /** Builds or fetches the list; called when it is first opened, and again while it came back empty. */
  options: () => readonly Option[] | Promise<readonly Option[]>
  onChange: (value: string) => void
  disabled?: boolean
  placeholder?: string
}

/** Entries drawn at first and with each reach of the end; a list of 400 is built in steps. */
const STEP = 80
const PAGE = 8
/** CSS pixels around the entries of the list. */
const PADDING = 6
const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE }

/** What is open, typed, found and active. */
function useSearch({ value, options, onChange, disabled = false }: SearchSelectProps) {
  const [query, setQuery] = useState<string>()
  const [all, setAll] = useState<readonly Option[]>()
  const [active, setActive] = useState(0)
  const [drawn, setDrawn] = useState(STEP)
  const open = query !== undefined
  const found = useMemo(() => searchOptions(all ?? [], query ?? ''), [all, query])

  const pointAt = (index: number) => {
    setActive(index)
    setDrawn((count) => Math.max(count, index + STEP / 2))
  }
  const show = async (typed: string) => {
    if (disabled) return
    setQuery(typed)
    setDrawn(STEP)
    setActive(0)
    const list = all === undefined || all.length === 0 ? await options() : all
    setAll(list)
    if (typed === '')
      pointAt(
        Math.max(
          0,
          list.findIndex((option) => option.value === value),
        ),
      )
  }
  const hide = () => setQuery(undefined)
  const choose = (option: Option | undefined) => {
    if (option !== undefined) onChange(option.value)
    hide()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (step !== undefined) {
      event.preventDefault()
      if (open) pointAt(Math.min(found.length - 1, Math.max(0, active + step)))
      else void show('')
      return
    }
    if (!open || (event.key !== 'Enter' && event.key !== 'Escape')) return
    event.preventDefault()
    if (event.key === 'Enter') choose(found[active])
    else hide()
  }
  const reachEnd = () => {
    if (drawn < found.length) setDrawn(drawn + STEP)
  }
  return { query, open, isLoaded: all !== undefined, found, active, drawn, show, hide, choose, onKeyDown, reachEnd }
}

/** Turns a list upwards where the window has no room for it below. */
function useRoom(open: boolean, list: RefObject<HTMLDivElement | null>): boolean {
  const [upwards, setUpwards] = useState(false)
  useEffect(() => {
    const field = list.current?.parentElement?.getBoundingClientRect()
    if (!open || field === undefined) return
    const below = window.innerHeight - field.bottom
    setUpwards(below < 240 && field.top > below)
  }, [open, list])
  return upwards
}

/**
 * A long list that is searched by typing (WAI-ARIA combobox with a list box). It does not make the page around inert,
 * and the list is not built before somebody opens it.
 */
export function SearchSelect(props: SearchSelectProps) {
  const { label, hint, error, optional, valueLabel, disabled = false, placeholder } = props
  const listId = useId()
  const list = useRef<HTMLDivElement>(null)
  const search = useSearch(props)
  const { open, active, found } = search
  const upwards = useRoom(open, list)
  const shown = search.query ?? valueLabel
  // The first time the chosen entry stands in the middle; afterwards the list moves as little as it can.
  const isFresh = useRef(true)
  const activeId = found[active] === undefined ? undefined : `${listId}-${active}`

  // biome-ignore lint/correctness/useExhaustiveDependencies: a list that has just come shows its active entry too.
  useEffect(() => {
    const box = list.current
    const row = box?.querySelector<HTMLElement>(`[data-index="${active}"]`)
    if (box === null || row === null || row === undefined) isFresh.current = true
    else {
      // Not scrollIntoView, which would move the page as well.
      const above = row.offsetTop - PADDING
      const below = row.offsetTop + row.offsetHeight + PADDING - box.clientHeight
      if (isFresh.current) box.scrollTop = (above + below) / 2
      else box.scrollTop = Math.max(below, Math.min(above, box.scrollTop))
      isFresh.current = false
    }
  }, [open, active, found])

  return (
    <Field label={label} hint={hint} error={error} {...(optional === undefined ? {} : { optional })}>
      {(ids) => (
        <div className="relative">
          <input
            {...ids}
            role="combobox"
            type="text"
            aria-autocomplete="list"
            aria-expanded={open}
            {...(open ? { 'aria-controls': listId, 'aria-activedescendant': activeId } : {})}
            autoComplete="off"
            spellCheck={false}
            disabled={disabled}
            placeholder={open && valueLabel !== '' ? valueLabel : placeholder}
            value={shown}
            // A zone keeps its order in a page that is written from the right; the sides of the field are the page's.
            {...(shown === '' ? {} : { dir: 'auto' })}
            onClick={() => {
              if (!open) void search.show('')
            }}
            onChange={(event) => void search.show(event.target.value)}
            onKeyDown={search.onKeyDown}
            onBlur={search.hide}
            className={`${inputClass} truncate pr-10 text-left rtl:pr-3 rtl:pl-10 rtl:text-right`}
          />
          <span className="pointer-events-none absolute inset-y-0 end-0 flex w-10 items-center justify-center text-muted">
            <Icon name="chevronDown" size={18} className={`transition-transform ${open ? 'rotate-180' : ''}`} />
          </span>
          {open ? (
            <Found search={search} id={listId} list={list} label={label} value={props.value} upwards={upwards} />
          ) : null}
        </div>
      )}
    </Field>
  )
}

interface FoundProps {
  search: ReturnType<typeof useSearch>
  id: string
  list: RefObject<HTMLDivElement | null>
  label: string
  value: string
  upwards: boolean
}

/** The open list. */
function Found({ search, id, list, label, value, upwards }: FoundProps) {
  const text = useKitText()
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
