import { type ReactNode, useId, useMemo, useState } from 'react'
import { inputClass } from './Field.tsx'
import { useKitText } from './kit-text.tsx'
import { type Option, searchOptions } from './option-search.ts'
import { withKeys } from './selected-keys.ts'
import { TickBox } from './TickBox.tsx'

export interface CheckListProps {
  label: string
  /** Hides the label, if it is shown elsewhere. */
  hideLabel?: boolean
  options: readonly Option[]
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
  /** The label of the search box, which appears with eight or more options. */
  searchLabel: string
  disabled?: boolean
  /** Shown if there are no options. */
  empty?: ReactNode
}

const SEARCHED_FROM = 8
/** How many options to draw at first and whenever the end is reached, so that a list of 10,000 opens immediately. */
const STEP = 100

/** A list of checkboxes, checked one by one or all search results together. */
export function CheckList(props: CheckListProps) {
  const { label, hideLabel = false, options, chosen, onChange, searchLabel, disabled = false, empty } = props
  const text = useKitText()
  const id = useId()
  const [query, setQuery] = useState('')
  const [drawn, setDrawn] = useState(STEP)
  const found = useMemo(() => searchOptions(options, query), [options, query])
  const values = found.map((option) => option.value)
  const change = (changed: readonly string[], on: boolean) => onChange(withKeys(chosen, changed, { on }))
  return (
    // No legend, because it can't be in one line with the buttons.
    <fieldset aria-labelledby={id} className="min-w-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span id={id} className={hideLabel ? 'sr-only' : 'font-medium'}>
          {label}
        </span>
        <span role="status" className="me-auto text-xs text-muted tabular-nums">
          {text('{count} of {total} selected', { count: chosen.size, total: options.length })}
        </span>
        {disabled || options.length < 2 ? null : (
          <>
            <ListButton label={text('All')} onPress={() => change(values, true)} />
            <ListButton label={text('None')} onPress={() => change(values, false)} />
          </>
        )}
      </div>
      {options.length < SEARCHED_FROM ? null : (
        <input
          type="search"
          aria-label={searchLabel}
          placeholder={searchLabel}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value)
            setDrawn(STEP)
          }}
          className={`${inputClass} mt-2`}
        />
      )}
      <ul
        className="mt-2 max-h-72 overflow-y-auto overscroll-contain"
        onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
          if (drawn < found.length && scrollTop + clientHeight > scrollHeight - 300) setDrawn(drawn + STEP)
        }}
      >
        {found.slice(0, drawn).map((option) => (
          <li key={option.value}>
            <label
              htmlFor={`${id}-${option.value}`}
              className="flex min-h-9 items-center gap-3 rounded-sm px-2 py-1.5 hover:bg-sunken pointer-coarse:min-h-11"
            >
              <TickBox
                id={`${id}-${option.value}`}
                checked={chosen.has(option.value)}
                disabled={disabled}
                onChange={(on) => change([option.value], on)}
              />
              <span className="grow wrap-anywhere">{option.label}</span>
              {option.hint === undefined ? null : <span className="text-xs text-muted">{option.hint}</span>}
            </label>
          </li>
        ))}
      </ul>
      {options.length === 0 ? empty : null}
      {options.length > 0 && found.length === 0 ? (
        <p className="px-2 py-1.5 text-muted">{text('Nothing found')}</p>
      ) : null}
    </fieldset>
  )
}

function ListButton({ label, onPress }: { label: string; onPress: () => void }) {
  return (
    <button
      type="button"
      onClick={onPress}
      className="inline-flex min-h-8 items-center rounded-sm px-2 font-medium text-link hover:bg-sunken pointer-coarse:min-h-11"
    >
      {label}
    </button>
  )
}
