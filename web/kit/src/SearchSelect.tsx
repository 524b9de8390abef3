import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { Field, type FieldFrame, inputClass } from './Field.tsx'
import { Icon } from './Icon.tsx'
import { useKitText } from './kit-text.tsx'
import { type Option, searchOptions } from './option-search.ts'

interface SearchSelectProps extends FieldFrame {
  value: string
  /** What the closed field shows for `value`: it must be known before the list is built. */
  valueLabel: string
  /** Builds or fetches the list; called when it is first opened. */
  options: () => readonly Option[] | Promise<readonly Option[]>
  onChange: (value: string) => void
  onBlur?: () => void
  disabled?: boolean
  placeholder?: string
  /** Adds a way to choose nothing. */
  clearable?: boolean
  autoComplete?: string
}

/** Entries drawn at first and with each reach of the end; a list of 400 is built in steps. */
const STEP = 80

/**
 * A long list that is searched by typing (WAI-ARIA combobox with a list box). It does not make the page around inert,
 * and the list is not built before somebody opens it.
 */
export function SearchSelect(props: SearchSelectProps) {
  const { label, hint, error, optional, value, valueLabel, onChange, onBlur, disabled = false, placeholder } = props
  const listId = useId()
  const text = useKitText()
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [query, setQuery] = useState<string>()
  const [options, setOptions] = useState<readonly Option[]>()
  const [active, setActive] = useState(0)
  const [drawn, setDrawn] = useState(STEP)
  const open = query !== undefined
  const found = useMemo(() => searchOptions(options ?? [], query ?? ''), [options, query])

  const show = async () => {
    if (open || disabled) return
    setQuery('')
    const all = options ?? (await props.options())
    setOptions(all)
    const chosen = Math.max(
      0,
      all.findIndex((option) => option.value === value),
    )
    setActive(chosen)
    setDrawn(Math.max(STEP, chosen + STEP / 2))
  }
  const hide = () => setQuery(undefined)
  const choose = (option: Option | undefined) => {
    if (option !== undefined) onChange(option.value)
    hide()
  }
  const search = (typed: string) => {
    setQuery(typed)
    setActive(0)
    setDrawn(STEP)
    if (options === undefined) void Promise.resolve(props.options()).then(setOptions)
  }

  useEffect(() => {
    if (!open) return
    list.current?.querySelector(`[data-index="${active}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [open, active, options])

  const move = (to: number) => {
    const index = Math.min(found.length - 1, Math.max(0, to))
    setActive(index)
    setDrawn((count) => Math.max(count, index + STEP / 2))
  }
  const page = 8
  const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (step !== undefined) {
      event.preventDefault()
      if (open) move(active + step)
      else void show()
    } else if (event.key === 'Enter' && open) {
      event.preventDefault()
      choose(found[active])
    } else if (event.key === 'Escape' && open) {
      event.preventDefault()
      hide()
    }
  }

  return (
    <Field label={label} hint={hint} error={error} {...(optional === undefined ? {} : { optional })}>
      {(ids) => (
        <div className="relative">
          <input
            {...ids}
            ref={input}
            role="combobox"
            type="text"
            aria-autocomplete="list"
            aria-expanded={open}
            aria-controls={open ? listId : undefined}
            aria-activedescendant={open && found[active] !== undefined ? `${listId}-${active}` : undefined}
            autoComplete="off"
            spellCheck={false}
            disabled={disabled}
            placeholder={open ? valueLabel || placeholder : placeholder}
            value={query ?? valueLabel}
            onClick={() => void show()}
            onChange={(event) => search(event.target.value)}
            onKeyDown={onKeyDown}
            onBlur={() => {
              hide()
              onBlur?.()
            }}
            className={`${inputClass} truncate pe-10`}
          />
          <span className="pointer-events-none absolute inset-y-0 end-0 flex w-10 items-center justify-center text-muted">
            <Icon name="chevronDown" size={18} className={`transition-transform ${open ? 'rotate-180' : ''}`} />
          </span>
          {open ? (
            <div
              ref={list}
              id={listId}
              role="listbox"
              aria-label={label}
              tabIndex={-1}
              onPointerDown={(event) => event.preventDefault()}
              onScroll={(event) => {
                const { scrollTop, clientHeight, scrollHeight } = event.currentTarget
                if (drawn < found.length && scrollTop + clientHeight > scrollHeight - 200) setDrawn(drawn + STEP)
              }}
              className="absolute inset-x-0 top-full z-30 mt-1.5 max-h-72 animate-rise overflow-y-auto overscroll-contain rounded-md border border-border bg-raised p-1.5 shadow-popup"
            >
              {found.slice(0, drawn).map((option, index) => (
                <Row
                  key={option.value}
                  id={`${listId}-${index}`}
                  option={option}
                  index={index}
                  active={index === active}
                  chosen={option.value === value}
                  onChoose={choose}
                />
              ))}
              {options !== undefined && found.length === 0 ? (
                <div role="option" aria-selected={false} aria-disabled className="px-3 py-2 text-muted">
                  {text('Nothing found')}
                </div>
              ) : null}
            </div>
          ) : null}
        </div>
      )}
    </Field>
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
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the combobox (aria-activedescendant).
    <div
      id={id}
      role="option"
      data-index={index}
      aria-selected={chosen}
      onClick={() => onChoose(option)}
      className={`flex items-center gap-3 rounded-sm px-3 py-2 hover:bg-sunken pointer-coarse:py-3 ${active ? 'bg-sunken' : ''} ${chosen ? 'font-medium' : ''}`}
    >
      <span className="grow truncate">{option.label}</span>
      {option.hint === undefined ? null : (
        <span className="shrink-0 text-xs text-muted tabular-nums">{option.hint}</span>
      )}
      <Icon name="check" size={18} className={chosen ? 'text-link' : 'invisible'} />
    </div>
  )
}
