import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react'
import { IconButton } from './Button.tsx'
import { Field, type FieldFrame, inputClass } from './Field.tsx'
import { Icon } from './Icon.tsx'
import { useKitText } from './kit-text.tsx'
import type { Option } from './option-search.ts'

interface SearchSelectProps extends FieldFrame {
  /** Empty: nothing is chosen, which a field that is `optional` can be set back to. */
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
const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE }

/** What of a search its open list shows and does. */
export interface Search {
  readonly isLoaded: boolean
  readonly found: readonly Option[]
  readonly active: number
  /** So many of the found are drawn. */
  readonly drawn: number
  choose(option: Option): void
  reachEnd(): void
}

/** What is open, typed, found and active. */
function useSearch({ value, options, onChange, disabled = false }: SearchSelectProps) {
  const [query, setQuery] = useState<string>()
  const [all, setAll] = useState<readonly Option[]>()
  const [active, setActive] = useState(0)
  const [drawn, setDrawn] = useState(STEP)
  const [opened, setOpened] = useState<typeof import('./OpenList.tsx')>()
  const open = query !== undefined
  const found = useMemo(() => opened?.searchOptions(all ?? [], query ?? '') ?? [], [opened, all, query])

  const pointAt = (index: number) => {
    setActive(index)
    setDrawn((count) => Math.max(count, index + STEP / 2))
  }
  const show = async (typed: string) => {
    if (disabled) return
    setQuery(typed)
    setDrawn(STEP)
    setActive(0)
    // Hardly anybody opens one, so what searches and draws it comes then; where it cannot be had, the next key asks again.
    import('./OpenList.tsx').then(setOpened, () => undefined)
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
    // What is not on the screen yet cannot be chosen; what was typed stays.
    if (event.key === 'Enter' && (opened === undefined || all === undefined)) return
    if (event.key === 'Enter') choose(found[active])
    else hide()
  }
  const reachEnd = () => {
    if (drawn < found.length) setDrawn(drawn + STEP)
  }
  return {
    query,
    open,
    List: opened?.OpenList,
    isLoaded: all !== undefined,
    found,
    active,
    drawn,
    show,
    hide,
    choose,
    onKeyDown,
    reachEnd,
  }
}

/**
 * A long list that is searched by typing (WAI-ARIA combobox with a list box). It does not make the page around inert,
 * and the list is not built before somebody opens it.
 */
export function SearchSelect(props: SearchSelectProps) {
  const { label, hint, error, optional, value, valueLabel, disabled = false, placeholder, onChange } = props
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  const text = useKitText()
  const search = useSearch(props)
  const { open, List, active, found } = search
  const isShown = open && List !== undefined
  const shown = search.query ?? valueLabel
  const isClearable = optional !== undefined && value !== '' && !disabled
  const activeId = found[active] === undefined ? undefined : `${listId}-${active}`

  return (
    <Field label={label} hint={hint} error={error} {...(optional === undefined ? {} : { optional })}>
      {(ids) => (
        <div className="relative">
          <input
            ref={input}
            {...ids}
            role="combobox"
            type="text"
            aria-autocomplete="list"
            aria-expanded={isShown}
            {...(isShown ? { 'aria-controls': listId, 'aria-activedescendant': activeId } : {})}
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
            className={`${inputClass} truncate text-left rtl:pr-3 rtl:text-right ${isClearable ? 'pr-20 rtl:pl-20' : 'pr-10 rtl:pl-10'}`}
          />
          {isClearable ? (
            <IconButton
              icon="close"
              label={text('Clear {field}', { field: label })}
              // The field keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => {
                onChange('')
                search.hide()
                input.current?.focus()
              }}
              className="absolute inset-y-0 end-8 hover:bg-transparent"
            />
          ) : null}
          <span className="pointer-events-none absolute inset-y-0 end-0 flex w-10 items-center justify-center text-muted">
            <Icon name="chevronDown" size={18} className={`transition-transform ${open ? 'rotate-180' : ''}`} />
          </span>
          {isShown ? <List search={search} id={listId} label={label} value={value} /> : null}
        </div>
      )}
    </Field>
  )
}
